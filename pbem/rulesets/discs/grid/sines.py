"""The sines of 0 to 90 whole degrees in whole millionths: the table from which every place on the Grid is reckoned."""

MILLION = 1_000_000
"""What a sine of 1 is in the table."""

SINES = (
    0, 17_452, 34_899, 52_336, 69_756, 87_156, 104_528, 121_869, 139_173, 156_434,
    173_648, 190_809, 207_912, 224_951, 241_922, 258_819, 275_637, 292_372, 309_017, 325_568,
    342_020, 358_368, 374_607, 390_731, 406_737, 422_618, 438_371, 453_990, 469_472, 484_810,
    500_000, 515_038, 529_919, 544_639, 559_193, 573_576, 587_785, 601_815, 615_661, 629_320,
    642_788, 656_059, 669_131, 681_998, 694_658, 707_107, 719_340, 731_354, 743_145, 754_710,
    766_044, 777_146, 788_011, 798_636, 809_017, 819_152, 829_038, 838_671, 848_048, 857_167,
    866_025, 874_620, 882_948, 891_007, 898_794, 906_308, 913_545, 920_505, 927_184, 933_580,
    939_693, 945_519, 951_057, 956_305, 961_262, 965_926, 970_296, 974_370, 978_148, 981_627,
    984_808, 987_688, 990_268, 992_546, 994_522, 996_195, 997_564, 998_630, 999_391, 999_848,
    1_000_000,
)  # fmt: skip
"""Written down once, so that no machine's floating point ever decides a throw. Rule: T-ll."""


def sine(degrees: int) -> int:
    """Return the sine of whole degrees, in millionths."""
    turned = degrees % 360
    within = turned % 180
    size = SINES[min(within, 180 - within)]
    return -size if turned > 180 else size


def cosine(degrees: int) -> int:
    """Return the cosine of whole degrees, in millionths."""
    return sine(degrees + 90)
