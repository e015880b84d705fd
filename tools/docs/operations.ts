import {
  type AnyOperation,
  bare,
  errorStatus,
  type Feature,
  type FeatureName,
  features,
  registry,
} from '@specboard/contract'
import { z } from 'zod'
import { table } from './markdown.ts'

const titles: Readonly<Partial<Record<FeatureName, string>>> = {
  board: 'Orientation',
  qa: 'Card questions',
  me: 'The calling agent',
}

const titleOf = (feature: FeatureName) =>
  titles[feature] ?? `${feature[0]!.toUpperCase()}${feature.slice(1).replaceAll('-', ' ')}`

/** The contract section of each feature, as a link. */
const sections: Readonly<Record<FeatureName, string>> = {
  agents: '[access 8](contract/access.md#8-agents), [access 9](contract/access.md#9-grants-and-overrides)',
  analytics: '[insight B](contract/insight.md#b-analytics)',
  architecture: '[insight A](contract/insight.md#a-architecture-designs)',
  attachments: '[cards 11](contract/cards.md#11-attachments)',
  board: '[board 3](contract/board.md#3-get_allowed_moves) to [board 5](contract/board.md#5-the-others)',
  boards: '[access 3](contract/access.md#3-boards) to [access 7](contract/access.md#7-shares)',
  cards: '[cards](contract/cards.md)',
  comments: '[cards 9](contract/cards.md#9-comments)',
  discovery: '[planning 4](contract/planning.md#4-discovery)',
  evidence: '[evidence](contract/evidence.md)',
  exchange: '[exchange 1](contract/exchange.md#1-board-archive)',
  guidelines: '[planning 2](contract/planning.md#2-guidelines)',
  harness: '[harness](contract/harness.md)',
  health: '[access 13](contract/access.md#13-health)',
  ideations: '[ideation](contract/ideation.md)',
  'knowledge-graph': '[knowledge-graph](contract/knowledge-graph.md)',
  lineage: '[planning 3](contract/planning.md#3-lineage)',
  me: '[access 11](contract/access.md#11-me), [board 1](contract/board.md#1-list_my_inbox), [board 2](contract/board.md#2-stream_my_events)',
  notifications: '[people 5](contract/people.md#5-notifications)',
  people: '[people](contract/people.md)',
  presets: '[access 10](contract/access.md#10-presets)',
  qa: '[cards 10](contract/cards.md#10-card-questions)',
  refinements: '[ideation](contract/ideation.md)',
  settings: '[access 12](contract/access.md#12-runtime-settings), [board 5](contract/board.md#5-the-others)',
  specs: '[specs](contract/specs.md)',
  sprints: '[planning 1](contract/planning.md#1-sprints)',
  git: '[git](contract/git.md)',
  templates: '[web 4](contract/web.md#4-templates)',
  views: '[web 3](contract/web.md#3-saved-views)',
  webhooks: '[work 6](contract/work.md#6-webhooks)',
  work: '[work](contract/work.md)',
}

/** The anchor of a heading. */
const anchor = (title: string) => title.toLowerCase().replaceAll(' ', '-')

const isRequired = (field: z.ZodType) => !z.object({ field }).safeParse({}).success

/** The fields of an object, the required ones in bold, each with its note if it has one. */
function fieldsOf(shape: Readonly<Record<string, z.ZodType>>): string {
  return Object.entries(shape)
    .map(([name, field]) => {
      const note = field.description === undefined ? '' : ` (${field.description})`
      return `${isRequired(field) ? `**\`${name}\`**` : `\`${name}\``}${note}`
    })
    .join(', ')
}

const nameOf = (schema: z.ZodType) => z.globalRegistry.get(schema)?.id

function bodyOf({ body, bodyOptional }: AnyOperation): string | undefined {
  if (body === undefined) return undefined
  const object = bare(body)
  const fields = object instanceof z.ZodObject ? fieldsOf(object.shape as Record<string, z.ZodType>) : nameOf(body)
  return `${fields}${bodyOptional ? '; the body is optional' : ''}`
}

function answerOf({ status, response, list, kind }: AnyOperation): string {
  if (list !== undefined) return `${status}, an array of ${nameOf(list) ?? 'objects'} with \`X-Total-Count\``
  if (kind === 'file') return `${status}, a file`
  if (kind === 'events') return `${status}, an event stream`
  return response === undefined ? `${status}` : `${status}, ${nameOf(response) ?? 'an object'}`
}

const permissionOf = ({ permission }: AnyOperation): string =>
  permission === 'public' ? 'none, and no key' : permission === '-' ? 'any key' : `\`${permission}\``

const refusalsOf = ({ errors }: AnyOperation): string | undefined =>
  errors.length === 0 ? undefined : errors.map(code => `${errorStatus[code]} \`${code}\``).join(', ')

function section(operation: AnyOperation): string {
  const { name, method, path, description, query, aliases, kind } = operation
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Permission', permissionOf(operation)],
    ['Query', Object.keys(query).length === 0 ? undefined : fieldsOf(query)],
    ['Body', kind === 'upload' ? 'multipart with one part **`file`**' : bodyOf(operation)],
    ['Or', kind === 'files' ? 'multipart with parts **`file`**' : undefined],
    [
      'Other names',
      Object.entries(aliases)
        .map(([alias, field]) => `\`${alias}\` for \`${field}\``)
        .join(', ') || undefined,
    ],
    ['Answers', answerOf(operation)],
    ['Refuses', refusalsOf(operation)],
  ]
  const list = lines.flatMap(([label, text]) => (text === undefined ? [] : [`- ${label}: ${text}`]))
  return [`### ${name}`, `\`${method} ${path}\``, description, list.join('\n')].join('\n\n')
}

const featureSection = ([name, operations]: readonly [FeatureName, Feature]): string =>
  [`## ${titleOf(name)}`, `Contract: ${sections[name]}.`, ...Object.values(operations).map(section)].join('\n\n')

const overview = (entries: readonly (readonly [FeatureName, Feature])[]): string =>
  table(
    ['Feature', 'Operations'],
    entries.map(([name, operations]) => [
      `[${titleOf(name)}](#${anchor(titleOf(name))})`,
      Object.keys(operations)
        .map(operation => `[${operation}](#${operation})`)
        .join(', '),
    ]),
  )

/** docs/operations.md: every operation with its path, permission, input, answer and refusals. */
export const operationsPage = (): string => {
  const entries = Object.entries(features) as [FeatureName, Feature][]
  return [
    '# Operations',
    `${registry.length} operations, each a route under its path and a tool under its name. Required fields are bold. The types are in \`/openapi.json\` of a running service, which \`/docs\` shows; every operation that needs a key may also answer 401, 403, 404 and 422. An id in a path may be any string; one that names nothing visible is 404. What each operation does, to the letter, is in [the contract](contract/README.md).`,
    overview(entries),
    ...entries.map(featureSection),
  ].join('\n\n')
}
