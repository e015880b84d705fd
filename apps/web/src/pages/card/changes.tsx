import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeIcons } from '../../components/change-icons.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Linked } from '../../components/linked.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import type { Card } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.card.changes

type CardChanges = NonNullable<Card['changes']>
type PullRequest = CardChanges['pull_requests'][number]
type Branch = CardChanges['branches'][number]

/** Pull requests with their checks, branches and commits of a card (git 9). */
export function Changes({ card }: { readonly card: Card }) {
  const { changes } = card
  if (changes === null) return null
  // Work continues on the open one: its name can be copied.
  const [branch, ...others] = changes.branches.toSorted((one, other) => Number(isDone(one)) - Number(isDone(other)))
  return (
    <Section
      title={texts.title}
      actions={
        branch !== undefined && (
          <span className="row branch">
            <code dir="auto">{branch.name}</code>
            <BranchState branch={branch} />
            <IconButton
              icon="copy"
              size={14}
              label={messages.shell.copy(branch.name)}
              title={messages.shell.copy(texts.branch)}
              onClick={() =>
                void navigator.clipboard.writeText(branch.name).then(() => toast(messages.shell.copied(branch.name)))
              }
            />
          </span>
        )
      }
    >
      <div className="lines">
        {changes.pull_requests.map(pull => (
          <PullLines key={pull.id} pull={pull} size={changes.pull_requests.length === 1 ? changes : undefined} />
        ))}
        {others.map(other => (
          <div key={other.name} className="line">
            <Icon name={changeIcons.branch} size={14} />
            <code className="grow" dir="auto">
              {other.name}
            </code>
            <BranchState branch={other} />
          </div>
        ))}
        {changes.commits + (changes.vanished ?? 0) > 0 && <Commits card={card} changes={changes} />}
      </div>
    </Section>
  )
}

const isDone = ({ state }: Branch): boolean => state !== 'open'

/** The outcome of a branch that is no longer worked on. */
const BranchState = ({ branch }: { readonly branch: Branch }) =>
  isDone(branch) && <span className="line-fact">{texts.states[branch.state]}</span>

/** The icon of a pull request: its outcome, then its checks. */
function signOf({ state, draft, checks }: PullRequest): readonly [IconName, string] {
  if (state === 'merged') return [changeIcons.merged, 'merged']
  if (state !== 'open') return [changeIcons.closed, '']
  if (checks.state === 'failing') return [changeIcons.open, 'bad']
  if (draft) return [changeIcons.draft, '']
  return [changeIcons.open, checks.state === 'passing' ? 'ok' : '']
}

interface PullLinesProps {
  readonly pull: PullRequest
  /** The size of the change, if there is only one. */
  readonly size: CardChanges | undefined
}

function PullLines({ pull, size }: PullLinesProps) {
  const { number, title, url, state, draft, checks, review } = pull
  const [icon, look] = signOf(pull)
  const { pending = 0 } = checks
  const passing = checks.total - checks.failing.length - pending
  const says = `#${number} ${title}`
  return (
    <>
      <div className="line">
        <span className={`sign ${look}`}>
          <Icon name={icon} />
        </span>
        {url === null ? (
          <span className="grow name" dir="auto">
            <Linked text={says} />
          </span>
        ) : (
          <a className="grow name" href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            {says}
          </a>
        )}
        {size !== undefined && <Size of={size} />}
        {review.decision === 'changes_requested' && <span className="badge red">{texts.requested}</span>}
        {review.approvals > 0 && <span className="badge green">{texts.approvals(review.approvals)}</span>}
        <span className="line-fact">{texts.states[draft && state === 'open' ? 'draft' : state]}</span>
      </div>
      {checks.failing.map(name => (
        <div key={name} className="line sub">
          <span className="sign bad">
            <Icon name="wrong" size={14} />
          </span>
          <span className="grow" dir="auto">
            {name}
          </span>
          <span className="line-fact bad">{texts.failing}</span>
        </div>
      ))}
      {pending > 0 && <ChecksLine look="" icon="clock" says={texts.running(pending)} />}
      {passing > 0 && <ChecksLine look="ok" icon="passed" says={texts.passing(passing)} />}
    </>
  )
}

interface ChecksLineProps {
  readonly look: '' | 'ok'
  readonly icon: IconName
  readonly says: string
}

/** One line for all checks with the same result, with their number. */
const ChecksLine = ({ look, icon, says }: ChecksLineProps) => (
  <div className="line sub">
    <span className={look === '' ? 'sign' : `sign ${look}`}>
      <Icon name={icon} size={14} />
    </span>
    <span className="grow">{says}</span>
  </div>
)

const Size = ({ of: { additions, deletions, files_changed } }: { readonly of: CardChanges }) => (
  <span className="row numbers size">
    {additions !== null && (
      <span className="ok">
        <span aria-hidden="true">+{additions}</span>
        <span className="hidden">{texts.added(additions)}</span>
      </span>
    )}
    {deletions !== null && (
      <span className="bad">
        <span aria-hidden="true">−{deletions}</span>
        <span className="hidden">{texts.removed(deletions)}</span>
      </span>
    )}
    {files_changed !== null && <span className="line-fact">{texts.files(files_changed)}</span>}
  </span>
)

interface CommitsProps {
  readonly card: Card
  readonly changes: CardChanges
}

/** The commits of a card, loaded on demand; at once if all of them are gone (git 3). */
function Commits({ card, changes: { commits, vanished = 0 } }: CommitsProps) {
  const [isOpen, setOpen] = useState(commits === 0)
  const { data, error } = useQuery({
    queryKey: keys.part('card', card.id, 'commits'),
    queryFn: async () => (await client.listChanges({ board_id: card.board_id, record: card.id, kind: 'commit' })).items,
    enabled: isOpen,
  })
  return (
    <details className="commits" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="line sub">
        <span className="grow">{texts.commits(commits + vanished, vanished)}</span>
      </summary>
      <Failure error={error} />
      {data?.map(({ id, sha = '', title, state, rewritten_as, url, author, authored_at, created_at }) => {
        const obsolete = rewritten_as == null ? state === 'vanished' && 'vanished' : 'rewritten'
        return (
          <div key={id} className="line sub">
            {url === null ? (
              <code>{sha.slice(0, 7)}</code>
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                <code>{sha.slice(0, 7)}</code>
              </a>
            )}
            <span className="grow" dir="auto">
              {obsolete ? <s>{title}</s> : <Linked text={title} />}
            </span>
            <span className="line-fact">
              {obsolete && <span>{texts.states[obsolete]}</span>}
              <bdi>{author.agent_name ?? author.login ?? author.name}</bdi>
              <Time at={authored_at ?? created_at} />
            </span>
          </div>
        )
      })}
    </details>
  )
}
