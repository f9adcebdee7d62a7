//! Orders: one sort for everything, since each kind of sort adds code to the playground.

/// Places by their keys, the smallest first; equal ones stay in their order.
pub fn ascending(keys: impl Iterator<Item = f64>) -> Vec<usize> {
    order(&keys.collect::<Vec<f64>>())
}

fn order(keys: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|&one, &other| keys[one].total_cmp(&keys[other]));
    places
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
}
