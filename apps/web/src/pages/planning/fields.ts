import type { PlanKind } from '../../data/planning.ts'
import type { messages } from '../../messages/messages.ts'

type ItemField = keyof typeof messages.planning.item

/** A part of a document: one text, a list of texts, or a list of items with several texts each. */
export type DocumentField = TextField | LinesField | ItemsField

interface TextField {
  readonly name: FieldName
  readonly shape: 'text'
}

interface LinesField {
  readonly name: FieldName
  readonly shape: 'lines'
}

/** A list of items that have several texts each. */
export interface ItemsField {
  readonly name: FieldName
  readonly shape: 'items'
  /** The prefix of new item ids. */
  readonly prefix: string
  readonly texts: readonly ItemField[]
  /** The required texts of an item. */
  readonly required: readonly ItemField[]
  /** The sentences of the document that an item names. */
  readonly links?: ItemLinks
}

/** A field of an item that names sentences of another part by their index (specs 4.1). */
export interface ItemLinks {
  readonly field: 'linked_requirements' | 'linked_criteria'
  readonly to: 'functional_requirements' | 'acceptance_criteria'
}

const toRequirements: ItemLinks = { field: 'linked_requirements', to: 'functional_requirements' }

export type FieldName = Exclude<keyof typeof messages.planning.fields, 'title'>

const text = (name: FieldName): DocumentField => ({ name, shape: 'text' })
const lines = (name: FieldName): DocumentField => ({ name, shape: 'lines' })

/** The parts of each kind's document, in reading order. */
export const fieldsOf: Readonly<Record<PlanKind, readonly DocumentField[]>> = {
  ideation: [text('description'), text('problem_statement'), text('proposed_approach')],
  refinement: [text('description'), lines('in_scope'), lines('out_of_scope'), text('analysis'), lines('decisions')],
  spec: [
    text('description'),
    text('context'),
    lines('functional_requirements'),
    lines('technical_requirements'),
    lines('acceptance_criteria'),
    {
      name: 'business_rules',
      shape: 'items',
      prefix: 'br',
      texts: ['title', 'rule', 'when', 'then', 'notes'],
      required: ['title', 'rule'],
      links: toRequirements,
    },
    {
      name: 'api_contracts',
      shape: 'items',
      prefix: 'api',
      texts: ['method', 'path', 'description', 'notes'],
      required: ['method', 'path'],
      links: toRequirements,
    },
    {
      name: 'decisions',
      shape: 'items',
      prefix: 'd',
      texts: ['title', 'rationale', 'context', 'notes'],
      required: ['title', 'rationale'],
      links: toRequirements,
    },
    {
      name: 'test_scenarios',
      shape: 'items',
      prefix: 'ts',
      texts: ['title', 'given', 'when', 'then', 'notes'],
      required: ['title'],
      links: { field: 'linked_criteria', to: 'acceptance_criteria' },
    },
  ],
  sprint: [text('objective'), text('description'), text('expected_outcome')],
}
