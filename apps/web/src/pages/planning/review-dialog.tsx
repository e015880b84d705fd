import { useMutation } from '@tanstack/react-query'
import { Judging } from '../../components/judging.tsx'
import { Failure } from '../../components/refusal.tsx'
import { messages } from '../../messages/messages.ts'
import { JudgedPlan } from './judged-plan.tsx'

const texts = messages.verdicts

interface ReviewDialogProps {
  readonly specId: string
  readonly onApprove: () => Promise<unknown>
  readonly onClose: () => void
}

/** Approves a spec, next to its content. */
export default function ReviewDialog({ specId, onApprove, onClose }: ReviewDialogProps) {
  const approving = useMutation({ mutationFn: onApprove, onSuccess: onClose })
  return (
    <Judging title={texts.review} about={<JudgedPlan kind="spec" id={specId} />} onClose={onClose}>
      <div className="stack">
        <p className="muted">{texts.reviewLead}</p>
        <Failure error={approving.error} />
        <div className="row">
          <button
            type="button"
            className="button primary"
            data-first=""
            disabled={approving.isPending}
            onClick={() => approving.mutate()}
          >
            {texts.recommend.approve}
          </button>
        </div>
      </div>
    </Judging>
  )
}
