"""Pilosof, Ramjee, Raz, Shavitt and Sinha 2003: uploads and downloads over the buffer of an access point."""
