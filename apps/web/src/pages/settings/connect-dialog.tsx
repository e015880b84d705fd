import { useQuery } from '@tanstack/react-query'
import { serviceUrl } from '../../base-path.ts'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { messages } from '../../messages/messages.ts'
import { type Repository, repositoriesOf } from './repository.ts'

const texts = messages.repositories

/** How often the dialog checks for the first event, ms: there are no events about deliveries. */
const againMs = 2_000

interface ConnectDialogProps {
  readonly board: BoardListItem
  readonly repository: Repository
  /** Shown only once; null if the person chose it. */
  readonly secret: string | null
  readonly onClose: () => void
}

/** What to enter in which field at the forge, in the forge's own terms, and whether its first event has arrived. */
export function ConnectDialog({ board, repository, secret, onClose }: ConnectDialogProps) {
  const { forge } = repository
  return (
    <Dialog
      title={forge === 'plain' ? texts.plainTitle : texts.pasteTitle(texts.forges[forge])}
      onClose={onClose}
      {...(secret !== null && forge !== 'plain' && { leave: messages.shell.haveIt })}
    >
      {forge === 'plain' ? (
        <>
          <p>{texts.plainLead}</p>
          <Copied label={texts.plainCommand} text={'specboard git sync\nspecboard git install-hooks'} />
          <First board={board} repositoryId={repository.id} texts={texts.firstCommits} />
        </>
      ) : (
        <>
          <p>{texts.pasteWhere[forge]}</p>
          <p className="muted">{texts.pasteUrl[forge]}</p>
          <Copied label={texts.pasteUrl[forge]} text={`${serviceUrl}${repository.webhook_path}`} />
          {secret !== null && (
            <>
              <p className="muted">{texts.pasteSecret[forge]}</p>
              <Copied label={texts.pasteSecret[forge]} text={secret} />
              <p>{texts.secretOnce}</p>
            </>
          )}
          <First board={board} repositoryId={repository.id} texts={texts.firstEvent} />
        </>
      )}
    </Dialog>
  )
}

interface FirstProps {
  readonly board: BoardListItem
  readonly repositoryId: string
  readonly texts: (typeof texts)['firstEvent' | 'firstCommits']
}

/** Whether the first event or commits have arrived, or that events arrive with a wrong secret. */
function First({ board, repositoryId, texts: { title, waits, came } }: FirstProps) {
  const { data } = useQuery({ ...repositoriesOf(board.id), refetchInterval: againMs })
  const repository = data?.find(({ id }) => id === repositoryId)
  const hasCome = (repository?.last_delivery_at ?? repository?.synced_at ?? null) !== null
  const isRefused = !hasCome && (repository?.refused_count ?? 0) > 0
  return (
    <>
      <h3>{title}</h3>
      <p role="status" className={isRefused ? 'row bad' : 'row'}>
        <Icon name={hasCome ? 'passed' : isRefused ? 'wrong' : 'clock'} />{' '}
        {hasCome ? came : isRefused ? texts.firstRefused : waits}
      </p>
    </>
  )
}
