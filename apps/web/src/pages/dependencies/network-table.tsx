import { Link } from 'wouter'
import { addressOfCard } from '../../address.ts'
import { Status } from '../../components/status.tsx'
import { Table } from '../../components/table.tsx'
import { messages } from '../../messages/messages.ts'
import type { LinkedCard, Network } from './network.ts'

const { graph, table } = messages.dependencies

interface NetworkTableProps {
  readonly network: Network
  readonly boardKey: string
}

/**
 * A network in words: for each card what it waits for and what waits for it; the card that blocks the most others comes
 * first.
 */
export function NetworkTable({ network, boardKey }: NetworkTableProps) {
  const rows = [...network.cards.values()].toSorted(
    (a, b) => Number(b.isCritical) - Number(a.isCritical) || b.holdsUp - a.holdsUp,
  )
  const refs = (ids: readonly string[]) =>
    ids.length > 0 && (
      <span className="row wrap">
        {ids.map(id => {
          const { ref, title } = network.cards.get(id)!.card
          return (
            <Link key={id} className="ref" href={addressOfCard(boardKey, ref)} title={title}>
              {ref}
            </Link>
          )
        })}
      </span>
    )
  return (
    <Table<LinkedCard>
      caption={graph}
      rows={rows}
      keyOf={({ card }) => card.id}
      columns={[
        {
          label: table.card,
          cell: ({ card }) => (
            <span className="network-card">
              <span className="ref">{card.ref}</span>
              <Link href={addressOfCard(boardKey, card.ref)} dir="auto">
                {card.title}
              </Link>
            </span>
          ),
        },
        { label: table.status, cell: ({ card }) => <Status status={card.status} /> },
        { label: table.waitsFor, cell: ({ waitsFor }) => refs(waitsFor) },
        { label: table.waiting, cell: ({ waiting }) => refs(waiting) },
        { label: table.inAll, isNumber: true, cell: ({ holdsUp }) => holdsUp },
        { label: table.path, cell: ({ isCritical }) => isCritical && table.yes },
      ]}
    />
  )
}
