"""Tables 3 to 5: web and voice, each a study file of this package, with the claims P5 to P8."""
