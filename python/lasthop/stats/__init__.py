"""Statistics over independent replications: one number a replication, independent by seed.

- `means`: means, paired differences, ratios; `quantiles`; `counts`: probabilities, exact tests;
- `bounds`: of one mean, for skewed values and rare events;
- `fairness`: Jain's index; `jackknife`: any smooth function of means;
- `multiple`: many comparisons behind one statement;
- `sequential`: replications until a precision or a verdict, with errors as promised;
- `steady`: warm-up and batch means of one long run;
- `summary`: results of replications merged into one document.
"""

from lasthop.stats.bounds import LEAST_EVENTS, alike_needed, mean_bounds, needed_to_show
from lasthop.stats.counts import (
    binomial_tail,
    flip_test,
    proportion_interval,
    sign_test,
    wilson_interval,
)
from lasthop.stats.fairness import jain, jain_interval
from lasthop.stats.jackknife import jackknife
from lasthop.stats.means import (
    CONFIDENCE,
    Estimate,
    Interval,
    estimate,
    half_width,
    mean_interval,
    paired_difference,
    ratio_interval,
    t_quantile,
)
from lasthop.stats.multiple import all_pairs, bonferroni, holm
from lasthop.stats.quantiles import (
    QuantileInterval,
    batch_quantile,
    quantile_interval,
    values_needed,
)
from lasthop.stats.sequential import (
    Look,
    Precision,
    Spending,
    looks,
    precision_level,
    replications_for,
    replications_to_show,
)
from lasthop.stats.steady import BatchMeans, Warmup, batch_means, warmup
from lasthop.stats.summary import Summary, summarise

__all__ = [
    "CONFIDENCE",
    "LEAST_EVENTS",
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
    "binomial_tail",
    "bonferroni",
    "estimate",
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
    "paired_difference",
    "precision_level",
    "proportion_interval",
    "quantile_interval",
    "ratio_interval",
    "replications_for",
    "replications_to_show",
    "sign_test",
    "summarise",
    "t_quantile",
    "values_needed",
    "warmup",
    "wilson_interval",
]
