import { type Column, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import type { Connection } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'
import { BoardLinks } from './board-links.tsx'

const texts = messages.me

interface ConnectionTableProps {
  readonly caption: string
  readonly connections: readonly Connection[]
  /** Further columns, such as the owner. */
  readonly more?: readonly Column<Connection>[]
  readonly onEnd: (connection: Connection) => void
}

/** Connections of apps, with what each may do and when it was last seen. */
export const ConnectionTable = ({ caption, connections, more = [], onEnd }: ConnectionTableProps) => (
  <Table
    caption={caption}
    rows={connections}
    keyOf={({ id }) => id}
    columns={[
      {
        label: texts.app,
        cell: ({ client_name, client_host }) => (
          <>
            <bdi>{client_name}</bdi> {client_host !== null && <span className="muted">{client_host}</span>}
          </>
        ),
      },
      { label: texts.actsAs, cell: ({ agent_name }) => <bdi>{agent_name}</bdi> },
      ...more,
      {
        label: texts.onBoards,
        cell: ({ boards, ended_at }) => (ended_at === null ? <BoardLinks boards={boards} /> : null),
      },
      { label: texts.rights, cell: ({ scopes }) => (scopes.includes('write') ? texts.writes : texts.reads) },
      { label: texts.connected, cell: ({ created_at }) => <Time at={created_at} /> },
      { label: texts.lastUsed, cell: ({ last_used_at }) => <Time at={last_used_at} /> },
      {
        label: texts.disconnect,
        cell: connection =>
          connection.ended_at === null ? (
            <button
              type="button"
              className="button quiet"
              aria-label={`${texts.disconnect}: ${connection.client_name}`}
              onClick={() => onEnd(connection)}
            >
              {texts.disconnect}
            </button>
          ) : (
            <span className="muted">
              {texts.ended}: {texts.reasons[connection.ended_reason ?? ''] ?? ''}
            </span>
          ),
      },
    ]}
  />
)
