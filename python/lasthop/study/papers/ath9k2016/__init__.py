"""Hoiland-Jorgensen 2016: ath9k shares airtime among stations; a slow one no longer slows down the others."""
