/** The links of a board, used to find those that would close a cycle (exchange 1). */
export class Waits {
  readonly #waitsFor = new Map<string, string[]>()

  /** Adds a link unless it would close a cycle; returns whether it was added. */
  add(card: string, dependsOn: string): boolean {
    if (card === dependsOn || this.#leads(dependsOn, card)) return false
    const links = this.#waitsFor.get(card)
    if (links === undefined) this.#waitsFor.set(card, [dependsOn])
    else links.push(dependsOn)
    return true
  }

  has(card: string, dependsOn: string): boolean {
    return this.#waitsFor.get(card)?.includes(dependsOn) ?? false
  }

  #leads(from: string, to: string): boolean {
    const visited = new Set([from])
    for (const at of visited) {
      if (at === to) return true
      for (const next of this.#waitsFor.get(at) ?? []) visited.add(next)
    }
    return false
  }
}
