"""A museum on disk: intake, storage, search, engines (this computer, Ray), sort and solve.

Uses ``sorting``, ``judging``, ``solvers``, ``measures`` and what stands below them. Public are:

- ``storage.catalogue.Collection``, with ``create`` and ``open``;
- ``engines.get_engine``, the workers of this computer or of many;
- ``intake.adding.add_tiles``;
- ``search.query.find_edge`` and ``find_hole``;
- ``sort_collection``, ``solve_collection`` and ``report_collection``, which also write pages, in
  ``outputs.collection.stages``.
"""
