//! Root finding, and systems of linear equations.

/// The x with Σ pᵢ·aᵢ/(1 + x·aᵢ) = 0 between the poles next to 0, for (aᵢ, pᵢ) with pᵢ > 0; `None` if the aᵢ
/// do not lie on both sides of 0. The sum falls throughout, so bisection finds the root to the last digit.
pub fn secular(cells: &[(f64, f64)]) -> Option<f64> {
    let lowest = cells.iter().map(|cell| cell.0).fold(f64::INFINITY, f64::min);
    let highest = cells.iter().map(|cell| cell.0).fold(f64::NEG_INFINITY, f64::max);
    // NaN also gives `None`.
    let both_sides = lowest < 0.0 && highest > 0.0;
    if !both_sides {
        return None;
    }
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return Some(middle);
        }
        if cells.iter().map(|(a, p)| p * a / (1.0 + middle * a)).sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// A symmetric positive definite matrix as the product of a triangular matrix and its transpose (Cholesky).
pub struct Cholesky {
    size: usize,
    rows: Vec<f64>,
}

impl Cholesky {
    /// Factors the `size` × `size` matrix; `None` if it is not positive definite (to 12 digits).
    pub fn of(size: usize, matrix: &[f64]) -> Option<Self> {
        let mut rows = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let (left, right) = (&rows[i * size..i * size + j], &rows[j * size..j * size + j]);
                let rest = matrix[i * size + j] - left.iter().zip(right).map(|(a, b)| a * b).sum::<f64>();
                if i != j {
                    rows[i * size + j] = rest / rows[j * size + j];
                } else if rest > 1e-12 * matrix[i * size + i].abs() && rest > 0.0 {
                    rows[i * size + i] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Self { size, rows })
    }

    /// The solution of matrix · x = `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.size;
        let mut x = right.to_vec();
        for i in 0..size {
            let row = &self.rows[i * size..(i + 1) * size];
            let known: f64 = row[..i].iter().zip(&x[..i]).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - known) / row[i];
        }
        for i in (0..size).rev() {
            x[i] /= self.rows[i * size + i];
            for j in 0..i {
                x[j] -= self.rows[i * size + j] * x[i];
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_of_the_secular_equation() {
        // Two cells: p·a/(1+xa) = q·b/(1-xb) gives x = (pa - qb)/(ab).
        let root = secular(&[(-0.5, 0.3), (0.25, 0.7)]).unwrap();
        assert!((root - (0.7 * 0.25 - 0.3 * 0.5) / (0.5 * 0.25)).abs() < 1e-14);
        assert_eq!(secular(&[(0.1, 0.5), (0.2, 0.5)]), None);
        assert_eq!(secular(&[(f64::NAN, 0.5), (0.2, 0.5)]), None);
    }

    #[test]
    fn linear_equations() {
        let matrix = [4.0, 2.0, 0.5, 2.0, 5.0, 1.0, 0.5, 1.0, 3.0];
        let x = Cholesky::of(3, &matrix).unwrap().solve(&[1.0, 2.0, 3.0]);
        for (row, right) in matrix.chunks(3).zip([1.0, 2.0, 3.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, b)| a * b).sum();
            assert!((left - right).abs() < 1e-14);
        }
        assert!(Cholesky::of(2, &[1.0, 1.0, 1.0, 1.0]).is_none(), "singular");
        assert!(Cholesky::of(2, &[1.0, 2.0, 2.0, 1.0]).is_none(), "indefinite");
    }
}
