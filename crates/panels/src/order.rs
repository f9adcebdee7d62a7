//! Orders: one sort for everything, since each kind of sort adds code to the playground.

/// Places by their keys, the smallest first; equal ones stay in their order.
pub fn ascending(keys: impl Iterator<Item = f64>) -> Vec<usize> {
    order(&keys.collect::<Vec<f64>>())
}

fn order(keys: &[f64]) -> Vec<usize> {
    // Whole numbers in the order of `f64::total_cmp`, with their places: they are compared where they are.
    let whole = |key: &f64| {
        let bits = key.to_bits() as i64;
        bits ^ ((bits >> 63) as u64 >> 1) as i64
    };
    let each = keys.iter().enumerate();
    let mut places: Vec<(i64, usize)> = each.map(|(place, key)| (whole(key), place)).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

/// Places by their keys, the largest first; equal ones stay in their order.
pub fn descending(keys: impl Iterator<Item = f64>) -> Vec<usize> {
    ascending(keys.map(|key| -key))
}

/// Numbers in their order.
pub fn sorted(numbers: &[f64]) -> Vec<f64> {
    order(numbers).into_iter().map(|place| numbers[place]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_stay_in_their_order() {
        let keys = [2.0, 1.0, 2.0, 3.0];
        assert_eq!(ascending(keys.into_iter()), [1, 0, 2, 3]);
        assert_eq!(descending(keys.into_iter()), [3, 0, 2, 1]);
        assert_eq!(sorted(&keys), [1.0, 2.0, 2.0, 3.0]);
    }

    #[test]
    fn all_numbers_have_an_order() {
        let keys = [f64::NAN, 0.0, f64::INFINITY, -0.0, -2.5, f64::NEG_INFINITY, 1e-300];
        let mut by_comparison: Vec<usize> = (0..keys.len()).collect();
        by_comparison.sort_by(|&one, &other| keys[one].total_cmp(&keys[other]));
        assert_eq!(ascending(keys.into_iter()), by_comparison);
    }
}
