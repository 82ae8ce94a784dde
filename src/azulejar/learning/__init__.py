"""Training of the learned measures.

The only folder that imports torch; beyond it numpy, pillow and safetensors alone, so that it runs
on a bare GPU server.
"""
