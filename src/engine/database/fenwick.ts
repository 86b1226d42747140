/** The beginning of a page: the block, and the number of its rows to skip. */
export interface Located {
  readonly block: number;
  readonly skip: number;
}

/**
 * The number of rows in each block of ids, as a Fenwick tree. A few dozen steps are enough to find the block of the
 * n-th row, to change a count, or to add a block at the end. Only blocks that have had rows take memory (13 bytes
 * each). So a few very large ids need no more memory than small ids.
 */
export class BlockCounts {
  #size = 0;
  /** Ascending numbers of the blocks. */
  #blocks = new Float64Array(1024);
  #counts = new Uint8Array(1024);
  /**
   * Index i, from 1 on, has the sum of `i & -i` counts: the count of the i-th block, and the counts directly before it.
   */
  #sums = new Int32Array(1025);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Returns false if the block is unknown and comes before the last block. The tree then has to be rebuilt. */
  set(block: number, count: number): boolean {
    if (this.#size === 0 || block > this.#blockAt(this.#size - 1)) {
      this.#append(block, count);
      return true;
    }
    const position = this.#positionOf(block);
    if (this.#blockAt(position) !== block) return false;
    const change = count - (this.#counts[position] ?? 0);
    this.#counts[position] = count;
    this.#total += change;
    for (let i = position + 1; i <= this.#size; i += i & -i) this.#sums[i] = this.#sum(i) + change;
    return true;
  }

  /** Finds the row that has `offset` rows before it: its block, and the number of rows to skip in it. */
  locate(offset: number): Located | undefined {
    if (offset >= this.#total) return undefined;
    let position = 0;
    let skip = offset;
    for (let step = 1 << (31 - Math.clz32(this.#size)); step > 0; step >>= 1) {
      const next = position + step;
      if (next <= this.#size && this.#sum(next) <= skip) {
        position = next;
        skip -= this.#sum(next);
      }
    }
    return { block: this.#blockAt(position), skip };
  }

  #append(block: number, count: number): void {
    if (this.#size === this.#blocks.length) this.#grow();
    this.#blocks[this.#size] = block;
    this.#counts[this.#size] = count;
    this.#size += 1;
    this.#total += count;
    let sum = count;
    for (let below = 1; below < (this.#size & -this.#size); below <<= 1) sum += this.#sum(this.#size - below);
    this.#sums[this.#size] = sum;
  }

  #grow(): void {
    const capacity = this.#size * 2;
    const blocks = new Float64Array(capacity);
    blocks.set(this.#blocks);
    const counts = new Uint8Array(capacity);
    counts.set(this.#counts);
    const sums = new Int32Array(capacity + 1);
    sums.set(this.#sums);
    this.#blocks = blocks;
    this.#counts = counts;
    this.#sums = sums;
  }

  /** The position of the given block, or of the first block after it. */
  #positionOf(block: number): number {
    let low = 0;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#blockAt(middle) < block) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #blockAt(position: number): number {
    return this.#blocks[position] ?? Number.NaN;
  }

  #sum(index: number): number {
    return this.#sums[index] ?? 0;
  }
}
