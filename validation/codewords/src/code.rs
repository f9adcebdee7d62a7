//! A code by its prototype (802.11-2020, Annex F): each number of it is an identity matrix, cyclically shifted.

use radio::CodeRate;

/// The prototypes of Annex F: the length of words and the rate, then the rows of blocks; "-" is a block of zeros.
const PROTOTYPES: &str = include_str!("prototypes.txt");

/// Columns of blocks in every prototype.
const COLUMNS: usize = 24;

/// A block that is not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its column of blocks.
    pub column: usize,
    /// Its row r has the one in this column plus r, modulo the blocks' size.
    pub shift: usize,
}

/// One of the twelve codes.
#[derive(Clone, Debug)]
pub struct Code {
    /// Rows and columns of a block (Z).
    pub size: usize,
    /// The blocks of each row.
    pub rows: Vec<Vec<Block>>,
}

impl Code {
    /// The code with words of 648, 1296 or 1944 bits.
    pub fn new(length: usize, rate: CodeRate) -> Code {
        let (data, all) = rate.fraction();
        let title = format!("{length} {data}/{all}");
        let lines = PROTOTYPES.lines().skip_while(|&line| line != title).skip(1);
        let rows: Vec<_> = lines.take_while(|line| !line.contains('/')).map(blocks).collect();
        assert!(!rows.is_empty(), "there is no code of {title}");
        Code { size: length / COLUMNS, rows }
    }

    /// Bits of a word (n).
    pub fn length(&self) -> usize {
        COLUMNS * self.size
    }

    /// Bits of data in it (k), which come first.
    pub fn data(&self) -> usize {
        (COLUMNS - self.rows.len()) * self.size
    }

    /// The word of these data, of which each is 0 or 1. But for the first, the columns of parity have two diagonals, so that
    /// each row of blocks gives another block of parity.
    pub fn encode(&self, data: &[u8]) -> Vec<u8> {
        let first = COLUMNS - self.rows.len();
        let mut word = data.to_vec();
        word.resize(self.length(), 0);
        // In the sum of all rows only the first parity block is left, once without a shift.
        let mut sum = vec![0; self.size];
        for row in &self.rows {
            xor_into(&mut sum, &self.sum(row, &word));
        }
        word[first * self.size..][..self.size].copy_from_slice(&sum);
        for (i, row) in self.rows.iter().enumerate().take(self.rows.len() - 1) {
            let next = self.sum(row, &word);
            word[(first + i + 1) * self.size..][..self.size].copy_from_slice(&next);
        }
        word
    }

    /// True where all checks hold.
    pub fn holds(&self, word: &[u8]) -> bool {
        self.rows.iter().all(|row| self.sum(row, word).iter().all(|&bit| bit == 0))
    }

    /// What the checks of a row of blocks give.
    fn sum(&self, row: &[Block], word: &[u8]) -> Vec<u8> {
        let mut sum = vec![0; self.size];
        for block in row {
            let of_column = &word[block.column * self.size..][..self.size];
            let (low, high) = of_column.split_at(block.shift);
            xor_into(&mut sum, high);
            xor_into(&mut sum[self.size - block.shift..], low);
        }
        sum
    }
}

fn blocks(line: &str) -> Vec<Block> {
    let shift = |text: &str| text.parse().ok();
    let places = line.split(' ').enumerate();
    places.filter_map(|(column, text)| Some(Block { column, shift: shift(text)? })).collect()
}

fn xor_into(sum: &mut [u8], bits: &[u8]) {
    for (own, bit) in sum.iter_mut().zip(bits) {
        *own ^= bit;
    }
}
