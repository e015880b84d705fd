/** Templates of cards and specs: fields that are filled in, under a name, kept by a board (web 4). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { FreeObject, Id, paging, sent, Timestamp, Title } from '../shared.ts'
import { CardCreate } from './cards.ts'
import { SpecCreate } from './specs.ts'
import { CardPriority, CardType } from './summaries.ts'

const Name = z.string().trim().min(1).max(100)

export const TemplateType = z.enum(['card', 'spec'])

const card = CardCreate.shape
const spec = SpecCreate.shape

/**
 * The fields that a template can fill in for each type of record, with the schemas used to create it: nothing that
 * names another record of the board, which may no longer exist.
 */
export const templateFields = {
  card: z.strictObject({
    ...sent({ title: Title, card_type: CardType, priority: CardPriority }),
    description: card.description,
    details: card.details,
    labels: card.labels,
    paths: card.paths,
    severity: card.severity,
    expected_behavior: card.expected_behavior,
    observed_behavior: card.observed_behavior,
    steps_to_reproduce: card.steps_to_reproduce,
    action_plan: card.action_plan,
    check: card.check,
  }),
  spec: z.strictObject({
    ...sent({ title: Title }),
    description: spec.description,
    context: spec.context,
    functional_requirements: spec.functional_requirements,
    technical_requirements: spec.technical_requirements,
    acceptance_criteria: spec.acceptance_criteria,
    test_scenarios: spec.test_scenarios,
    business_rules: spec.business_rules,
    api_contracts: spec.api_contracts,
    decisions: spec.decisions,
    labels: spec.labels,
  }),
} as const satisfies Record<z.output<typeof TemplateType>, z.ZodType>

export const Template = z
  .object({
    id: Id,
    board_id: Id,
    entity_type: TemplateType,
    name: z.string(),
    content: FreeObject,
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Template' })

const Content = FreeObject.describe('as create_card or create_spec takes them')

const TemplateCreate = z
  .object({ entity_type: TemplateType, name: Name, content: Content })
  .meta({ id: 'TemplateCreate' })

const TemplateUpdate = z.object(sent({ name: Name, content: Content })).meta({ id: 'TemplateUpdate' })

const onBoard = { board_id: Id }
const onTemplate = { template_id: Id }
const keywords = ['boilerplate', 'form', 'prefilled', 'blueprint']

const list_templates = operation({
  name: 'list_templates',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/templates',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'List templates',
  description: 'List the templates of a board for cards and specs.',
  params: onBoard,
  query: { entity_type: TemplateType.optional(), ...paging },
  list: Template,
  errors: [],
  keywords,
})

const create_template = operation({
  name: 'create_template',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/templates',
  permission: 'BOARDS_UPDATE',
  extension: true,
  title: 'Create template',
  description: 'Save filled-in fields of a card or spec for later ones.',
  params: onBoard,
  body: TemplateCreate,
  response: Template,
  status: 201,
  errors: ['VALIDATION_ERROR', 'LIMIT_REACHED'],
  keywords,
})

const update_template = operation({
  name: 'update_template',
  method: 'PATCH',
  path: '/api/v1/templates/{template_id}',
  permission: 'BOARDS_UPDATE',
  extension: true,
  title: 'Update template',
  description: 'Rename a template or replace its fields.',
  params: onTemplate,
  body: TemplateUpdate,
  response: Template,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const delete_template = operation({
  name: 'delete_template',
  method: 'DELETE',
  path: '/api/v1/templates/{template_id}',
  permission: 'BOARDS_UPDATE',
  extension: true,
  title: 'Delete template',
  description: 'Delete a template.',
  params: onTemplate,
  errors: [],
  keywords,
})

export const templates = { list_templates, create_template, update_template, delete_template } as const
