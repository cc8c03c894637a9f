"""The Grid in whole numbers: places, bearings, flights, squares; knows no Program."""
