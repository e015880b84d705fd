import type { GateName as GateNames } from '@specboard/contract'
import type { z } from 'zod'
import { type DomainError, refuse } from './errors.ts'

/** The name of a condition of a move or of another operation (board 3). */
export type GateName = z.output<typeof GateNames>

/** A condition, evaluated on facts that were read before: it does not query the database. */
export interface Gate<Facts> {
  /** The 409 of a closed gate; null for an open one. */
  readonly refusal: (facts: Facts) => DomainError | null
  /** The flag or setting that keeps the gate from closing, asked only of an open gate; null if there is none. */
  readonly skippedBy?: (facts: Facts) => string | null
}

/** The result of a gate. */
export interface Ruling {
  readonly gate: GateName
  readonly refusal: DomainError | null
  readonly skippedBy: string | null
}

/** The result of a gate that is not in a table of its own. */
export const ruling = (gate: GateName, refusal: DomainError | null, skippedBy: string | null = null): Ruling => ({
  gate,
  refusal,
  skippedBy: refusal === null ? skippedBy : null,
})

function rulingOf<Facts>(name: GateName, { refusal, skippedBy }: Gate<Facts>, facts: Facts): Ruling {
  const closed = refusal(facts)
  return ruling(name, closed, closed === null ? (skippedBy?.(facts) ?? null) : null)
}

/** The results of gates for given facts, in the order of their names. */
export const rulingsOf = <Facts, Name extends GateName>(
  gates: Readonly<Record<Name, Gate<Facts>>>,
  names: readonly Name[],
  facts: Facts,
): Ruling[] => names.map(name => rulingOf(name, gates[name], facts))

/**
 * The same where one gate guards several moves: each is evaluated once for the same facts, which never change.
 *
 * @example
 * const rulings = onceOf(gates)
 * rulings(facts, ['coverage', 'tasks'])[0] === rulings(facts, ['coverage'])[0]
 */
export function onceOf<Facts extends object, Name extends GateName>(gates: Readonly<Record<Name, Gate<Facts>>>) {
  const cache = new WeakMap<Facts, Map<Name, Ruling>>()
  return (facts: Facts, names: readonly Name[]): Ruling[] => {
    const rulings = cache.get(facts) ?? new Map<Name, Ruling>()
    cache.set(facts, rulings)
    return names.map(name => {
      const ruling = rulings.get(name) ?? rulingOf(name, gates[name], facts)
      rulings.set(name, ruling)
      return ruling
    })
  }
}

/** The refusal of the first closed gate; null when all are open. */
export const firstRefusal = (rulings: readonly Ruling[]): DomainError | null =>
  rulings.find(({ refusal }) => refusal !== null)?.refusal ?? null

/**
 * Refuses a call at the first closed gate.
 * @throws DomainError with the code of that gate
 */
export const passGates = (rulings: readonly Ruling[]): void => refuse(firstRefusal(rulings))
