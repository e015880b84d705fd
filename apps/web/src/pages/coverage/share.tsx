import { messages } from '../../messages/messages.ts'

const texts = messages.coverage

interface ShareProps {
  readonly done: number
  readonly total: number
  /** Whether no gate requires it. */
  readonly isSkipped: boolean
}

/** The share that is covered. */
export const Share = ({ done, total, isSkipped }: ShareProps) => (
  <p className="row muted numbers">
    <progress aria-hidden="true" value={done} max={total} />
    {texts.covered(done, total)}
    {isSkipped && <span className="badge">{texts.skipped}</span>}
  </p>
)
