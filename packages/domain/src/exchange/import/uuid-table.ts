/** Words of 32 bits in a UUID. */
const words = 4

/** The initial capacity of a table. */
const minCapacity = 1_024

/** The maximum share of occupied slots. */
const fullest = 0.75

/** The length of a UUID's text. */
const textLength = 36

/** The UUID that was parsed last. */
const parsed = new Uint32Array(words)

/**
 * A map from UUIDs to UUIDs, each with the tags that it was added under. A slot takes 20 bytes, or 36 as soon as any
 * UUID maps to one other than itself; strings in a Map take several times that, which is too much for the log of a
 * large board.
 */
export class UuidTable {
  readonly #seed = Math.floor(Math.random() * 2 ** 32)
  #slots: number
  #keys: Uint32Array
  /** The tags of each slot, as bits; 0 if the slot is free. */
  #tags: Uint32Array
  /** Undefined as long as every UUID maps to itself. */
  #values: Uint32Array | undefined
  #size = 0

  /** @param expected the expected number of entries */
  constructor(expected = 0) {
    this.#slots = slotsFor(Math.max(expected, minCapacity))
    this.#keys = new Uint32Array(this.#slots * words)
    this.#tags = new Uint32Array(this.#slots)
  }

  /**
   * Adds a tag to a UUID that maps to another, or to itself.
   * @param tag from 0 to 31
   * @returns false, and adds nothing, for texts that are not UUIDs in lower case, and for a UUID that already maps to
   *   another
   */
  add(key: string, value: string, tag: number): boolean {
    if (value !== key && !parse(value)) return false
    const other = value === key ? undefined : parsed.slice()
    if (!parse(key)) return false
    const here = other ?? parsed
    let slot = this.#find()
    if (this.#tags[slot] !== 0) {
      if (!this.#standsFor(slot, here)) return false
    } else {
      if (this.#size >= this.#slots * fullest) {
        this.#grow()
        slot = this.#find()
      }
      this.#size++
      this.#keys.set(parsed, slot * words)
      if (this.#values === undefined && value !== key) this.#values = this.#keys.slice()
      this.#values?.set(here, slot * words)
    }
    this.#tags[slot]! |= 1 << tag
    return true
  }

  /** Whether a UUID was added under a tag. */
  has(key: string, tag: number): boolean {
    return parse(key) && (this.#tags[this.#find()]! & (1 << tag)) !== 0
  }

  /** The value of a UUID; undefined for one that was not added. */
  get(key: string): string | undefined {
    if (!parse(key)) return undefined
    const slot = this.#find()
    if (this.#tags[slot] === 0) return undefined
    return this.#values === undefined ? key : textOf(this.#values, slot * words)
  }

  /** All values of entries. */
  *values(): Generator<string> {
    const values = this.#values ?? this.#keys
    for (let slot = 0; slot < this.#slots; slot++) if (this.#tags[slot] !== 0) yield textOf(values, slot * words)
  }

  #standsFor(slot: number, value: Uint32Array): boolean {
    const values = this.#values ?? this.#keys
    return value.every((word, at) => values[slot * words + at] === word)
  }

  /** The slot of the UUID that was parsed last, or the free one where it would be. */
  #find(): number {
    const keys = this.#keys
    const last = this.#slots - 1
    let slot = this.#hash() & last
    while (this.#tags[slot] !== 0) {
      const at = slot * words
      if (
        keys[at] === parsed[0] &&
        keys[at + 1] === parsed[1] &&
        keys[at + 2] === parsed[2] &&
        keys[at + 3] === parsed[3]
      )
        break
      slot = (slot + 1) & last
    }
    return slot
  }

  /** With a seed, so that nobody can craft a file whose ids all hash to the same slot. */
  #hash(): number {
    let hash = this.#seed
    for (const word of parsed) {
      hash = Math.imul(hash ^ word, 0x9e3779b1)
      hash ^= hash >>> 15
      hash = Math.imul(hash, 0x85ebca6b)
      hash ^= hash >>> 13
    }
    return hash >>> 0
  }

  #grow(): void {
    const added = parsed.slice()
    const [keys, values, tags] = [this.#keys, this.#values, this.#tags]
    this.#slots *= 2
    this.#keys = new Uint32Array(this.#slots * words)
    this.#tags = new Uint32Array(this.#slots)
    if (values !== undefined) this.#values = new Uint32Array(this.#slots * words)
    for (let old = 0; old < tags.length; old++) {
      if (tags[old] === 0) continue
      parsed.set(keys.subarray(old * words, old * words + words))
      const slot = this.#find()
      this.#keys.set(parsed, slot * words)
      this.#tags[slot] = tags[old]!
      if (values !== undefined) this.#values!.set(values.subarray(old * words, old * words + words), slot * words)
    }
    parsed.set(added)
  }
}

/** The number of slots for a number of entries: a power of two. */
const slotsFor = (entries: number): number => 2 ** Math.ceil(Math.log2(entries / fullest))

/** Parses the text of a UUID into `parsed`; false for any other text. */
function parse(text: string): boolean {
  if (text.length !== textLength) return false
  let digits = 0
  let word = 0
  for (let at = 0; at < textLength; at++) {
    const code = text.charCodeAt(at)
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== 0x2d) return false
      continue
    }
    const digit = digitOf(code)
    if (digit === -1) return false
    word = (word << 4) | digit
    if (++digits % 8 === 0) parsed[digits / 8 - 1] = word
  }
  return true
}

/** The value of a hexadecimal digit in lower case; -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

function textOf(from: Uint32Array, at: number): string {
  const digits = Array.from(from.subarray(at, at + words), word => word.toString(16).padStart(8, '0')).join('')
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  )
}
