"""ns-3's tcp-validation.cc: CUBIC and DCTCP over CoDel, checked against results that were validated."""
