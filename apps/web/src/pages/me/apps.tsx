import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../base-path.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Copied } from '../../components/copied.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { client } from '../../data/client.ts'
import { type Connection, ownKeys, useMyConnections } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'
import { ConnectionTable } from '../admin/connection-table.tsx'

const texts = messages.me

/** The MCP apps that act for the person, each as an agent. */
export function Apps() {
  const queries = useQueryClient()
  const { data: connections, error } = useMyConnections()
  const [connection, setConnection] = useState<Connection>()
  return (
    <Section title={texts.apps}>
      <Failure error={error} />
      {connections?.length === 0 && (
        <>
          <p className="muted">{texts.noApps}</p>
          <Copied label={texts.mcpAddress} text={`${serviceUrl}/mcp`} />
        </>
      )}
      {connections !== undefined && connections.length > 0 && (
        <ConnectionTable caption={texts.apps} connections={connections} onEnd={setConnection} />
      )}
      {connection !== undefined && (
        <Confirm
          title={texts.disconnectThat(connection.client_name)}
          lead={texts.disconnectLead}
          action={texts.disconnect}
          onConfirm={async () => {
            await client.revokeConnection({ connection_id: connection.id })
            await queries.invalidateQueries({ queryKey: ownKeys.connections })
          }}
          onClose={() => setConnection(undefined)}
        />
      )}
    </Section>
  )
}
