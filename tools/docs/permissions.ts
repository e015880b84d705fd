import { builtinAllows, builtinPresets, isStateLimit, permissionGroups, permissions } from '@specboard/contract'
import { table } from './markdown.ts'

const resourceOf = (name: string) => name.slice(0, name.indexOf('_'))

const titles: Readonly<Record<string, string>> = { KG: 'Knowledge graph', QA: 'Questions and answers' }

const titleOf = (resource: string) => titles[resource] ?? `${resource[0]}${resource.slice(1).toLowerCase()}`

const resources = [...new Set(permissions.map(row => resourceOf(row.name)))]

const presetColumns = builtinPresets.filter(preset => preset.letter !== null)

const section = (resource: string): string => {
  const rows = permissions
    .filter(row => resourceOf(row.name) === resource)
    .map(({ name, parent, guards }) => [
      `\`${name}\``,
      parent === null ? '' : `\`${parent}\``,
      ...presetColumns.map(preset => (builtinAllows(preset, name) ? '✓' : '')),
      guards,
    ])
  const head = ['Permission', 'Parent', ...presetColumns.map(preset => preset.name), 'Guards']
  return `## ${titleOf(resource)}\n\n${table(head, rows)}`
}

/** docs/permissions.md: the permission table and the built-in presets. */
export const permissionsPage = (): string =>
  [
    '# Permissions',
    `What an agent may do is decided by ${permissions.length} names, ${permissionGroups.size} of them groups and ${permissions.filter(row => isStateLimit(row.name)).length} state limits. On a board these come from its preset, are replaced by the agent's own flags, and are narrowed by how it reaches the board (owner, grant, share) and by the overrides of the grant. A call that lacks one answers 403 with \`permission\`, \`missing\` and \`denied_by\`.`,
    "A permission with a parent guards a part of what the parent's operations do: a target status, a field, a kind of record. The part is guarded by the child alone. A parent that a preset, an agent or a grant names gives its value to those of its children that are not named there themselves. A group holds when one of its children does. A state limit `<RESOURCE>_WRITE_IN_<STATUS>` is needed in addition when a record itself is changed in that status. The full rules are in the contract: [access 2](contract/access.md#2-permissions).",
    '## Built-in presets',
    table(
      ['Preset', 'What it is for', 'Id'],
      builtinPresets.map(preset => [preset.name, preset.description, `\`${preset.id}\``]),
    ),
    'Full Control holds every permission; the tables show the others.',
    ...resources.map(section),
  ].join('\n\n')
