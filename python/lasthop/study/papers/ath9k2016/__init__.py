"""Hoiland-Jorgensen 2016: ath9k shares airtime among stations, and one slow station no longer slows down the others."""
