import { useBoards } from '../../data/boards.ts'
import { useCard } from '../../data/cards.ts'
import { usePlan } from '../../data/planning.ts'

/** The minimum scores of a scored verdict on a card, 0 to 100. */
interface Thresholds {
  readonly confidence: number
  readonly completeness: number
  readonly drift: number
}

/**
 * The thresholds of a card: the first that is set among those of its sprint, its spec and its board; undefined until
 * they are read.
 */
export function useThresholds(cardId: string, boardId: string): Thresholds | undefined {
  const { data: read } = useCard(cardId)
  const { data: boards } = useBoards()
  const card = read?.card
  const { data: sprint } = usePlan('sprint', card?.sprint_id ?? null)
  const { data: spec } = usePlan('spec', card?.spec_id ?? null)
  const settings = boards?.find(({ id }) => id === boardId)?.settings
  if (card === undefined || settings === undefined) return undefined
  if ((card.sprint_id !== null && sprint === undefined) || (card.spec_id !== null && spec === undefined))
    return undefined
  const [own, ofSpec] = [sprint?.record, spec?.record]
  return {
    confidence: own?.validation_min_confidence ?? ofSpec?.validation_min_confidence ?? settings.min_confidence,
    completeness: own?.validation_min_completeness ?? ofSpec?.validation_min_completeness ?? settings.min_completeness,
    drift: own?.validation_max_drift ?? ofSpec?.validation_max_drift ?? settings.max_drift,
  }
}
