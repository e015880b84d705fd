import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useMay } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import { Authors } from './authors.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { ForgeDeliveries } from './forge-deliveries.tsx'
import { PipelineDialog } from './pipeline-dialog.tsx'
import { managing, type Repository, repositoriesOf } from './repository.ts'
import { EditRepository, NewRepository } from './repository-form.tsx'
import { useSecretActions } from './secret-actions.tsx'

const texts = messages.repositories

/** A repository that is being connected, with its secret where that is known. */
interface Connecting {
  readonly id: string
  readonly secret: string | null
}

/** The repositories of a board: how each is connected, its deliveries, and its authors (git 10). */
export function Repositories({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const [isMaking, setMaking] = useState(false)
  const [connecting, setConnecting] = useState<Connecting>()
  const { data, error } = useQuery(repositoriesOf(board.id))
  const refresh = () => queries.invalidateQueries({ queryKey: keys.list(board.id, 'repository') })
  const connected = data?.find(({ id }) => id === connecting?.id)
  return (
    <>
      <div className="row wrap">
        <p className="muted grow">{texts.lead}</p>
        <Button needs={managing} className="button primary" onClick={() => setMaking(true)}>
          <Icon name="plus" /> {texts.new}
        </Button>
      </div>
      <Failure error={error} />
      {data?.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {data?.map(repository => (
        <RepositoryView
          key={repository.id}
          board={board}
          repository={repository}
          onChanged={refresh}
          onConnect={secret => setConnecting({ id: repository.id, secret })}
        />
      ))}
      {data !== undefined && data.length > 0 && <Authors board={board} />}
      {isMaking && (
        <NewRepository
          board={board}
          onClose={() => setMaking(false)}
          onMade={async ({ id, webhook_secret }) => {
            await refresh()
            setMaking(false)
            setConnecting({ id, secret: webhook_secret })
          }}
        />
      )}
      {connecting !== undefined && connected !== undefined && (
        <ConnectDialog
          board={board}
          repository={connected}
          secret={connecting.secret}
          onClose={() => setConnecting(undefined)}
        />
      )}
    </>
  )
}

interface RepositoryViewProps {
  readonly board: BoardListItem
  readonly repository: Repository
  readonly onChanged: () => Promise<void>
  /** Shows how to connect it; with its secret, if that was just created. */
  readonly onConnect: (secret: string | null) => void
}

function RepositoryView({ board, repository, onChanged, onConnect }: RepositoryViewProps) {
  const { id: repository_id, name, url, forge, active, refused_count } = repository
  const [isEdited, setEdited] = useState(false)
  const [showsPipeline, setShowsPipeline] = useState(false)
  const { acting, items, asking } = useSecretActions({
    texts,
    needs: managing,
    active,
    turn: () => client.updateRepository({ repository_id, active: !active }),
    rotate:
      forge === 'plain'
        ? undefined
        : async () => onConnect((await client.rotateRepositorySecret({ repository_id })).webhook_secret),
    remove: () => client.deleteRepository({ repository_id }),
    onChanged,
  })
  const mayManage = useMay('REPOSITORIES_MANAGE')
  const cameAt = repository.last_delivery_at ?? repository.synced_at
  return (
    <article className="box stack">
      <header className="row wrap">
        <h2 className="grow">{name}</h2>
        <span className={active ? 'badge green' : 'badge'}>{active ? texts.active : texts.inactive}</span>
        {refused_count > 0 && <span className="badge red">{texts.refused(refused_count)}</span>}
        <ActionMenu label={texts.actionsOf(name)}>
          {choose => (
            <>
              <MenuItem onSelect={choose(() => onConnect(null))}>{texts.connect}</MenuItem>
              <MenuItem onSelect={choose(() => setShowsPipeline(true))}>{texts.ci.open}</MenuItem>
              <MenuItem needs={managing} onSelect={choose(() => setEdited(true))}>
                {texts.edit}
              </MenuItem>
              {items(choose)}
            </>
          )}
        </ActionMenu>
      </header>
      <p>
        <code>{url}</code>
      </p>
      <p className="muted">
        {forge === 'plain' ? texts.noForge : texts.forges[forge]} ·{' '}
        {cameAt === null ? (
          forge === 'plain' ? (
            texts.neverTold
          ) : (
            texts.never
          )
        ) : (
          <>
            {repository.last_delivery_at === null ? texts.synced : texts.last} <Time at={cameAt} />
          </>
        )}
      </p>
      <Failure error={acting.error} />
      {forge !== 'plain' && mayManage && <ForgeDeliveries repositoryId={repository_id} />}
      {isEdited && <EditRepository repositoryId={repository_id} onClose={() => setEdited(false)} onSaved={onChanged} />}
      {showsPipeline && (
        <PipelineDialog
          board={board}
          repository={repository}
          onChanged={onChanged}
          onClose={() => setShowsPipeline(false)}
        />
      )}
      {asking}
    </article>
  )
}
