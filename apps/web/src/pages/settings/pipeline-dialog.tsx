import { hasTokens, issuerOf, type Pipeline, pipelineLines, pipelines } from '@specboard/contract/pipeline-lines'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { serviceUrl } from '../../base-path.ts'
import { Button } from '../../components/button.tsx'
import { Copied } from '../../components/copied.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import { managing, type Repository } from './repository.ts'

const texts = messages.repositories.ci

const options = pipelines.map(value => ({ value, label: texts.pipelines[value] }))

interface PipelineDialogProps {
  readonly board: BoardListItem
  readonly repository: Repository
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/**
 * The configuration with which a pipeline sends its test reports, and whether its tokens are trusted (evidence 11, 13).
 */
export function PipelineDialog({ board, repository, onChanged, onClose }: PipelineDialogProps) {
  const [pipeline, setPipeline] = useState<Pipeline>(repository.forge === 'plain' ? 'shell' : repository.forge)
  const lines = pipelineLines(pipeline, { url: serviceUrl, boardId: board.id })
  return (
    <Dialog title={texts.titleOf(repository.name)} onClose={onClose}>
      <p>{texts.lead}</p>
      <Select
        label={texts.system}
        value={pipeline}
        options={options}
        onChange={choice => choice !== '' && setPipeline(choice)}
      />
      {hasTokens(pipeline) ? (
        <Trust repository={repository} pipeline={pipeline} onChanged={onChanged} />
      ) : (
        <p className="muted">{texts.keyed}</p>
      )}
      <Copied label={texts.lines} text={lines.join('\n')} />
    </Dialog>
  )
}

interface TrustProps {
  readonly repository: Repository
  readonly pipeline: Pipeline
  readonly onChanged: () => Promise<void>
}

/** The issuer whose tokens are trusted; if none is, a control to trust the tokens of the forge's jobs. */
function Trust({ repository: { id, url, ci }, pipeline, onChanged }: TrustProps) {
  const issuer = issuerOf(pipeline, url)
  const trusting = useMutation({
    mutationFn: async () => {
      await client.updateRepository({ repository_id: id, ci: { issuer: issuer! } })
      await onChanged()
    },
  })
  if (ci !== null)
    return (
      <p role="status" className="row">
        <Icon name="passed" /> <span>{texts.trusted(ci.issuer, ci.trusted_refs)}</span>
      </p>
    )
  return (
    <>
      <p>
        {texts.untrusted} {issuer !== undefined && texts.issuer(issuer)}
      </p>
      <Failure error={trusting.error} />
      {issuer !== undefined && (
        <div className="row">
          <Button needs={managing} disabled={trusting.isPending} onClick={() => trusting.mutate()}>
            {texts.trust}
          </Button>
        </div>
      )}
    </>
  )
}
