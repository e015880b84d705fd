import { features, templateFields } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { toJson } from '../../lib/json.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { TemplatesTable } from '../../schema/tables.ts'
import { countTemplates, findTemplate, listTemplates as listOfBoard, templateOf } from './store.ts'

type Templates = typeof features.templates

/** Maximum number of templates of a board (web 4). */
const maxTemplates = 100

/** Maximum number of characters of the fields of a template, as JSON. */
const maxCharacters = 200_000

type Content = ReturnType<typeof templateOf>['content']

/**
 * Checks the fields of a template like those of a new record, except that any of them may be absent (web 4).
 * @throws DomainError VALIDATION_ERROR
 */
function checkedContent(type: TemplatesTable['entity_type'], content: Content): TemplatesTable['content'] {
  // Checks the length first: a text that is too long is not validated field by field.
  if (toJson(content).length > maxCharacters)
    throw invalid('content', `The fields of a template have at most ${maxCharacters} characters as JSON.`)
  const { success, data, error } = templateFields[type].safeParse(content)
  if (!success) {
    const [{ path, message, ...issue }] = error.issues as [(typeof error.issues)[number]]
    const at = ['content', ...path, ...('keys' in issue ? issue.keys.slice(0, 1) : [])].join('.')
    throw invalid(at, `${at} is not what create_${type} takes: ${message.replace(/\.$/, '')}.`)
  }
  return toJson<Content>(data)
}

async function record(ctx: Context, action: string, { id, name, entity_type }: TemplatesTable): Promise<void> {
  await ctx.record({
    boardId: ctx.boardId,
    entity: { type: 'board', id: ctx.boardId },
    activity: { action, details: { template_id: id, name, entity_type } },
  })
}

const listTemplates: Implementation<Templates['list_templates']> = ({ query }, ctx) =>
  listOfBoard(ctx.db, { board: ctx.boardId, type: query.entity_type ?? '' }, query)

const createTemplate: Implementation<Templates['create_template']> = async ({ body }, ctx) => {
  const content = checkedContent(body.entity_type, body.content)
  if ((await countTemplates(ctx.db, { board: ctx.boardId, type: '' })) >= maxTemplates)
    throw blocked('LIMIT_REACHED', `A board has at most ${maxTemplates} templates. Delete one.`, {
      limit: maxTemplates,
      what: 'templates',
    })
  const row: TemplatesTable = {
    id: ctx.newId(),
    board_id: ctx.boardId,
    entity_type: body.entity_type,
    name: body.name,
    content,
    created_by: ctx.caller.id,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  await insertRow(ctx.db, 'templates', row)
  await record(ctx, 'template_created', row)
  return templateOf(row)
}

/** @throws DomainError NOT_FOUND */
async function templateNamed(ctx: Context, id: string): Promise<TemplatesTable> {
  const template = await findTemplate(ctx.db, id)
  if (template === undefined) throw notFound('template', id)
  return template
}

const updateTemplate: Implementation<Templates['update_template']> = async ({ params, body }, ctx) => {
  const before = await templateNamed(ctx, params.template_id)
  const updates = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.content !== undefined && { content: checkedContent(before.entity_type, body.content) }),
  }
  const after = { ...before, ...updates }
  if (after.name === before.name && after.content === before.content) return templateOf(before)
  const changed = { ...after, updated_at: ctx.now() }
  await updateRow(ctx.db, 'templates', before.id, { ...updates, updated_at: changed.updated_at })
  await record(ctx, 'template_updated', changed)
  return templateOf(changed)
}

const deleteTemplate: Implementation<Templates['delete_template']> = async ({ params }, ctx) => {
  const template = await templateNamed(ctx, params.template_id)
  await ctx.db.deleteFrom('templates').where('id', '=', template.id).execute()
  await record(ctx, 'template_deleted', template)
}

/** Templates of cards and specs (web 4). */
export const templateOperations = implement(features.templates, {
  list_templates: listTemplates,
  create_template: createTemplate,
  update_template: updateTemplate,
  delete_template: deleteTemplate,
})
