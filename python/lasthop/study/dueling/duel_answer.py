"""A duel's answer in a few sentences: who wins by what people notice, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lasthop.core.quantities import named
from lasthop.core.quantities.better import higher_is_better
from lasthop.numbers.numerals import counted, listed
from lasthop.study import phrases
from lasthop.study.answering.speaking import against, begun
from lasthop.study.answering.splitting import EVEN
from lasthop.study.claims.verdicts import SIGNED, PairedVerdict
from lasthop.study.dueling.verdict import Against, Duel


def metrics_said(metrics: Sequence[str]) -> Mapping[str, str]:
    """Return metrics in words; the object, such as a flow, is left out where it is the same in all."""
    found = {metric: named(metric) for metric in metrics}
    objects = {each.objects if each else metric for metric, each in found.items()}
    return {
        metric: phrases.in_words(each) if each and len(objects) == 1 else phrases.of_metric(metric)
        for metric, each in found.items()
    }


def first_of(duel: Duel) -> str:
    """Name the TCP that is judged as its authors write it."""
    return phrases.of_law(duel.names[0])


def answer(duel: Duel) -> tuple[str, ...]:
    """Say who wins, averaged over the conditions, and then each metric with its numbers.

    The winner is by the first metric that people want more or less of.
    """
    said = metrics_said(duel.alone.metrics)
    by_metric = {
        metric: [each for each in duel.against if each.metric == metric]
        for metric in duel.alone.metrics
    }
    wanted = [metric for metric in by_metric if higher_is_better(metric) is not None]
    lead = [
        f"{_lead(first_of(duel), by_metric[metric])} by {said[metric]}, averaged over the conditions."
        for metric in wanted[:1]
    ]
    return *lead, *(
        f"{_subject(said[metric])} is {listed([told(each) for each in those])}."
        for metric, those in by_metric.items()
    )


def _subject(said: str) -> str:
    return f"The {said}" if said[:1].isdigit() else begun(said)


def _lead(name: str, those: Sequence[Against]) -> str:
    """Say whom the first beats and to whom it loses."""
    beaten, lost, even = (
        [phrases.of_law(each.rival) for each in those if each.average.word in words]
        for words in ((PairedVerdict.BETTER,), (PairedVerdict.WORSE,), EVEN)
    )
    parts = [
        f"{verb} {listed(rivals)}"
        for verb, rivals in (("beats", beaten), ("loses to", lost), ("equals", even))
        if rivals
    ]
    return f"{name} {listed(parts)}" if parts else f"{name} is not shown to win or to lose"


def told(each: Against) -> str:
    """Say how a metric differs from a rival's on average, and in how many conditions it is better and worse."""
    rival, average, tally = phrases.of_law(each.rival), each.average, each.tally
    counts = [
        f"{word} in {tally.get(str(word), 0)}"
        for word in SIGNED[higher_is_better(each.metric) is None]
    ]
    where = f"({listed(counts)} of {counted(len(each.places), 'condition')})"
    if average.word in EVEN:
        return f"the same within {100 * average.beyond:g} % as with {rival} {where}"
    if average.word is PairedVerdict.CANNOT_TELL:
        return f"not shown to differ from that with {rival} {where}"
    if average.change is None:
        return f"above zero, which it is with {rival} {where}"
    return f"{against([1 + average.change], rival)} {where}"
