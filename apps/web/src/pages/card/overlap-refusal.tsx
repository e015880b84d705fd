import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/refusal.tsx'
import { refusalOf } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'

interface OverlapRefusalProps {
  readonly error: unknown
  readonly disabled: boolean
  /** Makes the call again with `allow_overlap`. */
  readonly onAllow: () => void
}

/**
 * The refusal of a failed call. If others work on the same files, people who may change the board can proceed anyway
 * (harness 5.5).
 */
export const OverlapRefusal = ({ error, disabled, onAllow }: OverlapRefusalProps) => (
  <>
    <Failure error={error} />
    {error !== null && refusalOf(error).code === 'PATHS_OVERLAP' && (
      <Button needs={['BOARDS_UPDATE']} className="button quiet" disabled={disabled} onClick={onAllow}>
        {messages.card.allowOverlap}
      </Button>
    )}
  </>
)
