import { useInfiniteQuery } from '@tanstack/react-query'
import { chosenOf, useAddressFilters } from '../../components/address-filters.ts'
import { type FilterField, periodFields } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { NoMatch } from '../../components/filters/no-match.tsx'
import { More } from '../../components/more.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useAgents } from '../../data/access.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { shownName } from '../../data/shown-name.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.audit

type AuditAction = keyof typeof texts.actions

const actions = Object.keys(texts.actions) as AuditAction[]

const filterNames = ['actor_id', 'action', 'since', 'until'] as const

type Chosen = Readonly<Partial<Record<(typeof filterNames)[number], string> & { action: AuditAction }>>

/** How many entries are read at once. */
const atOnce = 50

/** The audit log of writes outside boards and of refused keys; the filters are in the address (trust 3). */
export function Audit() {
  const [search, set, clear] = useAddressFilters()
  const { data: agents = [] } = useAgents()
  // The service refuses any other value, in its own words.
  const filters = chosenOf(search, filterNames) as Chosen
  const listed = useInfiniteQuery({
    queryKey: keys.service('audit', { listed: filters }),
    queryFn: ({ pageParam }) => client.listAudit({ ...filters, limit: atOnce, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length > 0 && read < last.total ? read : undefined
    },
  })
  const { data, error } = listed
  const fields: readonly FilterField[] = [
    {
      kind: 'choice',
      name: 'actor_id',
      label: texts.who,
      options: agents.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      kind: 'choice',
      name: 'action',
      label: texts.what,
      options: actions.map(action => ({ value: action, label: texts.actions[action] })),
    },
    ...periodFields(['since', 'until'], texts, filters),
  ]
  const entries = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <div className="stack">
      <p className="muted">{texts.lead}</p>
      <search className="filter-bar">
        <Filters fields={fields} query={search} onChange={set} onClear={clear} />
      </search>
      <Failure error={error} />
      {data === undefined && error === null && <p className="muted">{messages.shell.loading}</p>}
      {data !== undefined && entries.length === 0 && (
        <NoMatch title={texts.noMatch} onClear={() => clear(filterNames)} />
      )}
      {entries.length > 0 && (
        <Table
          caption={texts.tab}
          rows={entries}
          keyOf={({ id }) => id}
          columns={[
            { label: texts.what, cell: ({ action }) => texts.actions[action] },
            { label: texts.about, cell: ({ target_name }) => <bdi>{target_name}</bdi> },
            {
              label: texts.who,
              cell: ({ actor_name }) => (actor_name === null ? texts.nobody : <Person name={shownName(actor_name)} />),
            },
            {
              label: texts.fields,
              cell: ({ action, fields }) =>
                creates.test(action) ? null : [...new Set(fields.map(fieldWords))].join(', ') || null,
            },
            { label: texts.origin, cell: ({ origin }) => texts.origins[origin] },
            { label: texts.when, cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
      <More of={listed} label={texts.older} remaining={(data?.pages.at(-1)?.total ?? 0) - entries.length} />
    </div>
  )
}

/** Every field of a new record is a change. */
const creates = /_created$/

const settings: Readonly<Partial<Record<string, string>>> = messages.administration.runtime

const fieldWords = (field: string): string => texts.fieldWords[field] ?? settings[field] ?? field.replaceAll('_', ' ')
