import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { planFolders } from '../../address.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { useCommands } from '../../components/commands.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Icon } from '../../components/icon.tsx'
import { toast } from '../../components/toast.tsx'
import { client } from '../../data/client.ts'
import { planCalls, refreshPlan } from '../../data/planning.ts'
import { refusalOf } from '../../data/refusal.ts'
import { useClosure } from '../../data/rights.ts'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

interface ArchiveButtonProps extends ShownPlan {
  readonly kind: 'ideation' | 'refinement' | 'spec'
}

/** Archives a record with everything derived from it, or restores it. */
export function ArchiveButton({ board, kind, record }: ArchiveButtonProps) {
  const queries = useQueryClient()
  const named = { board_id: board.id, entity_type: kind, entity_id: record.id }
  const turn = async (toArchived: boolean): Promise<void> => {
    await (toArchived ? client.archiveRecord(named) : client.restoreRecord(named))
    await refreshPlan(queries, kind, record.id)
  }
  const act = async () => {
    await turn(!record.archived)
    const says = record.archived ? texts.restored(record.ref) : texts.archivedNow(record.ref)
    toast(says, () => turn(record.archived))
  }
  const closure = useClosure([record.archived ? 'BOARDS_RESTORE' : 'BOARDS_ARCHIVE'])
  const note = closure && messages.permissions.lacks(closure.permission)
  useCommands(`${record.ref} ${record.title}`, [
    {
      id: 'archive',
      label: record.archived ? texts.restore : texts.archive,
      sign: <Icon name="fold" />,
      note,
      isClosed: note !== undefined,
      run: () => {
        if (note !== undefined) toast(note)
        else act().catch((error: unknown) => toast(refusalOf(error).message))
      },
    },
  ])
  return (
    <ActionButton className="button quiet" onAct={act} needs={[record.archived ? 'BOARDS_RESTORE' : 'BOARDS_ARCHIVE']}>
      {record.archived ? texts.restore : texts.archive}
    </ActionButton>
  )
}

interface DeleteDialogProps extends ShownPlan {
  readonly onClose: () => void
}

/** Asks before a record is deleted, which cannot be undone. */
export function DeleteDialog({ board, kind, record, onClose }: DeleteDialogProps) {
  const [, navigate] = useLocation()
  return (
    <Confirm
      title={texts.deleteTitle(record.ref)}
      lead={texts.deleteLeads[kind]}
      action={texts.delete}
      onConfirm={async () => {
        await planCalls[kind].delete(record.id)
        navigate(`/b/${board.key}/${planFolders[kind]}`)
      }}
      onClose={onClose}
    />
  )
}
