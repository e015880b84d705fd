import type { ResolvedThresholds } from '@specboard/contract'
import type { z } from 'zod'
import type { Settings } from '../../../kernel/board-settings.ts'

/** The thresholds in force for the validation of a card. */
export type Thresholds = z.output<typeof ResolvedThresholds>

/** The values of a sprint or spec that override those of its board; null for no override. */
export interface Overrides {
  readonly require_task_validation: boolean | null
  readonly validation_min_confidence: number | null
  readonly validation_min_completeness: number | null
  readonly validation_max_drift: number | null
}

type BoardSettings = Pick<Settings, 'require_task_validation' | 'min_confidence' | 'min_completeness' | 'max_drift'>

/** Resolves each value by itself: from the card's sprint, otherwise its spec, otherwise the board (cards 5.1). */
export function resolveThresholds(sprint: Overrides | null, spec: Overrides | null, board: BoardSettings): Thresholds {
  const source =
    sprint?.require_task_validation != null ? 'sprint' : spec?.require_task_validation != null ? 'spec' : 'board'
  return {
    required: sprint?.require_task_validation ?? spec?.require_task_validation ?? board.require_task_validation,
    min_confidence: sprint?.validation_min_confidence ?? spec?.validation_min_confidence ?? board.min_confidence,
    min_completeness:
      sprint?.validation_min_completeness ?? spec?.validation_min_completeness ?? board.min_completeness,
    max_drift: sprint?.validation_max_drift ?? spec?.validation_max_drift ?? board.max_drift,
    resolved_from: source,
  }
}
