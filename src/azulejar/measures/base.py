class Measure: pass
