/** What JSON columns hold, where the contract has no schema of its own for it. */
import type { ArchitectureDesign, ArchitectureDiagram, KgDeadLetter, Permission } from '@specboard/contract'
import type { z } from 'zod'

/** Permission names with a boolean, as presets, agents and grants carry them. */
export type Flags = Readonly<Partial<Record<Permission, boolean>>>

/** One field of a change, with its old and new value. */
export interface Change {
  readonly field: string
  readonly old?: unknown
  readonly new?: unknown
  readonly [extra: string]: unknown
}

/** A domain event: what the knowledge graph and live streams are told. */
export interface DomainEvent {
  readonly name: string
  readonly [member: string]: unknown
}

/** An answer as it is kept for replay. */
export interface KeptAnswer {
  readonly status: number
  readonly body: unknown
}

/** A diagram as stored: its payload lies apart, under `adapter_payload_ref`. */
export type Diagram = Omit<z.output<typeof ArchitectureDiagram>, 'adapter_payload'>

/** What a version keeps of a design: everything that a write can change. */
export type DesignVersion = Omit<
  z.output<typeof ArchitectureDesign>,
  'id' | 'board_id' | 'parent_type' | 'parent_id' | 'diagrams' | 'version' | 'created_by' | 'created_at' | 'updated_at'
> & { readonly diagrams: Diagram[] }

/** A failed attempt to consolidate a record, as dead letters show it (knowledge-graph 4.7). */
export type Attempt = z.output<typeof KgDeadLetter>['errors'][number]
