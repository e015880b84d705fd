import {
  builtinAllows,
  builtinPresets,
  guardedBy,
  isStateLimit,
  type PermissionRow,
  permissionGroups,
  permissions,
  registry,
} from '@specboard/contract'
import { table } from './markdown.ts'

const resourceOf = (name: string) => name.slice(0, name.indexOf('_'))

const titles: Readonly<Record<string, string>> = { KG: 'Knowledge graph', QA: 'Questions and answers' }

const titleOf = (resource: string) => titles[resource] ?? `${resource[0]}${resource.slice(1).toLowerCase()}`

const resources = [...new Set(permissions.map(row => resourceOf(row.name)))]

const presetColumns = builtinPresets.filter(preset => preset.letter !== null)

const limitedStatus = (name: string) => name.slice(name.indexOf('_WRITE_IN_') + '_WRITE_IN_'.length).toLowerCase()

/** What a permission protects: operations, each with its parts, and other things. */
function guardsText({ name, group, note }: PermissionRow): string {
  if (group) return 'group'
  if (isStateLimit(name)) return `changes in status ${limitedStatus(name)}`
  const operations = guardedBy(name, registry).map(({ operation, parts }) =>
    parts.length === 0 ? operation : `${operation} (${parts.join('; ')})`,
  )
  return [...operations, ...(note === null ? [] : [note])].join(', ')
}

/** The operations that check the state limits of a resource. */
const limitsText = (resource: string): string =>
  `State limits are asked by ${registry
    .filter(({ writesIn }) => writesIn === resource)
    .map(({ name }) => name)
    .join(', ')}, and by what creates a record in the status.`

const section = (resource: string): string => {
  const rows = permissions
    .filter(row => resourceOf(row.name) === resource)
    .map(row => [
      `\`${row.name}\``,
      row.parent === null ? '' : `\`${row.parent}\``,
      ...presetColumns.map(preset => (builtinAllows(preset, row.name) ? '✓' : '')),
      guardsText(row),
    ])
  const head = ['Permission', 'Parent', ...presetColumns.map(preset => preset.name), 'Guards']
  const limited = permissions.some(({ name }) => resourceOf(name) === resource && isStateLimit(name))
  return [`## ${titleOf(resource)}`, table(head, rows), ...(limited ? [limitsText(resource)] : [])].join('\n\n')
}

/** docs/permissions.md: the permission table and the built-in presets. */
export const permissionsPage = (): string =>
  [
    '# Permissions',
    `What an agent may do is decided by ${permissions.length} names, ${permissionGroups.size} of them groups and ${permissions.filter(row => isStateLimit(row.name)).length} state limits. On one board: its preset, replaced by its own flags, narrowed by how it reaches the board (owner, grant, share), narrowed by the overrides of the grant. A call that lacks one answers 403 with \`permission\`, \`missing\` and \`denied_by\`.`,
    "A permission with a parent guards a part of what the parent's operations do: a target status, a field, a kind of record. The part is guarded by the child alone. A parent that a preset, an agent or a grant names gives its value to the children that are not named beside it. A group holds when one of its children does. An operation on a part of a record (a question, a comment, a validation) also asks for the record's `_READ`. A state limit `<RESOURCE>_WRITE_IN_<STATUS>` is asked besides when a record itself is changed in that status.",
    '## Built-in presets',
    table(
      ['Preset', 'What it is for', 'Id'],
      builtinPresets.map(preset => [preset.name, preset.description, `\`${preset.id}\``]),
    ),
    'Full Control holds every permission; the tables show the others.',
    ...resources.map(section),
  ].join('\n\n')
