//! Places in metres.

/// A place, or a difference of places.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// East, metres.
    pub x_m: f64,
    /// North, metres.
    pub y_m: f64,
    /// Up, metres above ground.
    pub z_m: f64,
}

impl Position {
    /// On the ground.
    pub const fn flat(x_m: f64, y_m: f64) -> Position {
        Position { x_m, y_m, z_m: 0.0 }
    }

    /// Straight to `other`, metres.
    pub fn distance_m(self, other: Position) -> f64 {
        libm::sqrt(self.minus(other).squared())
    }

    /// From `other` to here.
    pub fn minus(self, other: Position) -> Position {
        let (x_m, y_m) = (self.x_m - other.x_m, self.y_m - other.y_m);
        Position { x_m, y_m, z_m: self.z_m - other.z_m }
    }

    /// `step`, `times` over, from here.
    pub fn plus(self, step: Position, times: f64) -> Position {
        Position {
            x_m: self.x_m + step.x_m * times,
            y_m: self.y_m + step.y_m * times,
            z_m: self.z_m + step.z_m * times,
        }
    }

    /// The square of the length.
    pub fn squared(self) -> f64 {
        self.dot(self)
    }

    /// The scalar product.
    pub fn dot(self, other: Position) -> f64 {
        self.x_m * other.x_m + self.y_m * other.y_m + self.z_m * other.z_m
    }
}
