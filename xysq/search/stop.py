"""Words that tell nothing about what is looked for: taken out of a query, unless nothing else is in it."""

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being between both but by can
    could did do does doing done down during each either else ever every few for from further get gets getting got had
    has have having he her here hers herself him himself his how i if in into is it its itself just kind let lot made
    make makes many may me mean might more most much must my myself no nor not now of off on once one only or other our
    ours out over own please same shall she should so some someone something such tell than that the their theirs them
    themselves then there these they thing things this those through to too type under until up upon us very was we
    were what whatever when where which while who whom whose why will with would yes yet you your yours yourself
    d ll m re s t ve
    """.split()  # noqa: SIM905 - a list of words reads as one
)
