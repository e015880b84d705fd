import type {
  ArchitectureDesign,
  ArchitectureEntity,
  ArchitectureInterface,
  ArchitectureVersion,
} from '@specboard/contract'
import type { z } from 'zod'
import { notFound } from '../../kernel/errors.ts'
import { sameJson } from '../../lib/json.ts'
import type { DesignVersion, Diagram } from '../../schema/contents.ts'
import type { DiagramContent } from './payload.ts'

/** A part of the system. */
export type Entity = z.output<typeof ArchitectureEntity>

/** A connection between entities. */
export type Interface = z.output<typeof ArchitectureInterface>

/** The record that a design belongs to. */
export interface Parent {
  readonly type: 'ideation' | 'refinement' | 'spec' | 'card'
  readonly id: string
}

/** A design as stored. */
export interface Design extends Omit<z.output<typeof ArchitectureDesign>, 'diagrams' | 'versions'> {
  readonly diagrams: Diagram[]
}

/** The fields of a design that describe the system (A.7). */
export const semanticFields = ['title', 'global_description', 'entities', 'interfaces', 'diagrams'] as const

const keptFields = [
  ...semanticFields,
  'source_ref',
  'source_version',
  'source_design_id',
  'stale',
  'breaking_change_flag',
  'requires_arch_review',
] as const

const pick = <Key extends keyof Design>(design: Pick<Design, Key>, fields: readonly Key[]): Pick<Design, Key> =>
  Object.fromEntries(fields.map(field => [field, design[field]])) as Pick<Design, Key>

/** The envelope of a design. */
export const envelopeOf = (design: Design): DesignVersion => pick(design, keptFields)

/** Whether two states of a design are equal; payloads are compared by hash. */
export const sameDesign = (before: Design, after: Design): boolean => sameJson(envelopeOf(before), envelopeOf(after))

/** Whether a change affects the described system, not only flags and sources. */
export const changesSemantics = (before: Design, after: Design): boolean =>
  !sameJson(pick(before, semanticFields), pick(after, semanticFields))

/** A version in the list of a design (board 6). */
export type ListedVersion = z.output<typeof ArchitectureVersion>

/** A design as answered, with the given payloads in its diagrams. */
export const answered = (
  design: Design,
  versions: ListedVersion[],
  payloads: ReadonlyMap<string, DiagramContent> = new Map(),
) => ({
  ...design,
  versions,
  diagrams: design.diagrams.map(diagram => ({
    ...diagram,
    adapter_payload: payloads.get(diagram.id) ?? null,
  })),
})

/**
 * A diagram of a design.
 * @throws DomainError NOT_FOUND
 */
export function diagramOf({ diagrams }: Pick<Design, 'diagrams'>, id: string): Diagram {
  const diagram = diagrams.find(candidate => candidate.id === id)
  if (diagram === undefined) throw notFound('diagram', id)
  return diagram
}
