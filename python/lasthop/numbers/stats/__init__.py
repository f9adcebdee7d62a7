"""Statistics over independent replications: one number a replication, independent by seed.

- `means`: means as they are printed; `quantiles`; `counts`: probabilities, exact tests;
- `safe`: means and ratios of skewed or zero-inflated values, at the level that is promised;
- `betting`: of means of values whose ends are known, proved; `bounds`: of one mean, by both;
- `unseen`: events too rare to have been seen;
- `fairness`: Jain's index; `jackknife`: any smooth function of means;
- `multiple`: many comparisons behind one statement;
- `sequential`: replications until a precision or a verdict, with errors as promised;
- `steady`: warm-up and batch means of one long run;
- `summary`: results of replications merged into one document.
"""

from lasthop.numbers.stats.betting import betting_bounds, betting_shows
from lasthop.numbers.stats.bounds import mean_bounds, needed_to_show
from lasthop.numbers.stats.counts import (
    binomial_tail,
    flip_test,
    proportion_interval,
    sign_test,
    wilson_interval,
)
from lasthop.numbers.stats.fairness import jain, jain_interval
from lasthop.numbers.stats.jackknife import jackknife, pseudo_values
from lasthop.numbers.stats.means import (
    CONFIDENCE,
    EQUAL,
    SAME,
    Estimate,
    Interval,
    difference,
    estimate,
    estimate_of_known,
    half_width,
    mean_interval,
    shown_mean,
    t_quantile,
)
from lasthop.numbers.stats.multiple import all_pairs, bonferroni, holm, step_up
from lasthop.numbers.stats.quantiles import (
    QuantileInterval,
    batch_quantile,
    quantile_interval,
    values_needed,
)
from lasthop.numbers.stats.safe import (
    LEAST_EVENTS,
    alike_needed,
    runs_needed,
    runs_to_show,
    safe_bounds,
    safe_interval,
    safe_ratio_interval,
)
from lasthop.numbers.stats.sequential import (
    Look,
    Precision,
    Spending,
    looks,
    precision_level,
    replications_for,
)
from lasthop.numbers.stats.steady import BatchMeans, Warmup, batch_means, warmup
from lasthop.numbers.stats.summary import Summary, summarise
from lasthop.numbers.stats.unseen import breaking_value, replications_to_see, said_of_equal, unseen

__all__ = [
    "CONFIDENCE",
    "EQUAL",
    "LEAST_EVENTS",
    "SAME",
    "BatchMeans",
    "Estimate",
    "Interval",
    "Look",
    "Precision",
    "QuantileInterval",
    "Spending",
    "Summary",
    "Warmup",
    "alike_needed",
    "all_pairs",
    "batch_means",
    "batch_quantile",
    "betting_bounds",
    "betting_shows",
    "binomial_tail",
    "bonferroni",
    "breaking_value",
    "difference",
    "estimate",
    "estimate_of_known",
    "flip_test",
    "half_width",
    "holm",
    "jackknife",
    "jain",
    "jain_interval",
    "looks",
    "mean_bounds",
    "mean_interval",
    "needed_to_show",
    "precision_level",
    "proportion_interval",
    "pseudo_values",
    "quantile_interval",
    "replications_for",
    "replications_to_see",
    "runs_needed",
    "runs_to_show",
    "safe_bounds",
    "safe_interval",
    "safe_ratio_interval",
    "said_of_equal",
    "shown_mean",
    "sign_test",
    "step_up",
    "summarise",
    "t_quantile",
    "unseen",
    "values_needed",
    "warmup",
    "wilson_interval",
]
