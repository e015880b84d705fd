import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm } from '../../components/confirm.tsx'
import { InputField } from '../../components/field.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { client } from '../../data/client.ts'
import type { Connection } from '../../data/me.ts'
import { peopleKeys, useAllConnections } from '../../data/people.ts'
import { messages } from '../../messages/messages.ts'
import { ConnectionTable } from './connection-table.tsx'

const texts = messages.people

/** The apps that act for any person, for those who manage them. */
export function AllConnections() {
  const queries = useQueryClient()
  const { data: connections, error } = useAllConnections()
  const [filter, setFilter] = useState('')
  const [connection, setConnection] = useState<Connection>()
  const found = (connections ?? []).filter(({ client_name, person_name, agent_name }) =>
    [client_name, person_name, agent_name].some(name => name.toLowerCase().includes(filter.trim().toLowerCase())),
  )
  return (
    <Section title={texts.connections}>
      <Failure error={error} />
      {connections?.length === 0 && <p className="muted">{texts.noConnections}</p>}
      {connections !== undefined && connections.length > 0 && (
        <>
          <InputField
            label={texts.filter}
            type="search"
            value={filter}
            onChange={event => setFilter(event.target.value)}
          />
          <ConnectionTable
            caption={texts.connections}
            connections={found}
            more={[{ label: texts.by, cell: ({ person_name }) => <bdi>{person_name}</bdi> }]}
            onEnd={setConnection}
          />
        </>
      )}
      {connection !== undefined && (
        <Confirm
          title={messages.me.disconnectThat(connection.client_name)}
          lead={messages.me.disconnectLead}
          action={messages.me.disconnect}
          onConfirm={async () => {
            await client.revokeConnection({ connection_id: connection.id })
            await queries.invalidateQueries({ queryKey: peopleKeys.connections })
          }}
          onClose={() => setConnection(undefined)}
        />
      )}
    </Section>
  )
}
