import type { FeatureName } from '@specboard/contract'

/** Other words for the records of a feature (mcp 11). */
const byFeature: Readonly<Partial<Record<FeatureName, string>>> = {
  cards: 'ticket issue task story todo work item bug defect blocked blocker',
  comments: 'note remark discussion reply thread choice poll',
  ideations: 'epic idea feature request proposal initiative',
  refinements: 'grooming analysis scope breakdown',
  specs: 'prd requirement specification acceptance criteria rule contract scenario test plan',
  sprints: 'iteration milestone cycle timebox',
  qa: 'question answer clarify',
  agents: 'user member bot token api key credential access',
  presets: 'role permission profile',
  me: 'permission right whoami access myself',
  boards: 'project workspace kanban',
  attachments: 'file screenshot image upload document',
  architecture: 'design diagram component entity interface c4 mermaid excalidraw',
  guidelines: 'rule convention standard policy instruction',
  'knowledge-graph': 'graph memory lesson decision node relation consolidation',
  analytics: 'report metric statistic dashboard chart number',
  discovery: 'search find query saved intent',
  lineage: 'trace traceability origin impact',
  settings: 'configuration option runtime',
  health: 'status alive version ping',
}

/** Other words for what single operations do, by a part of their name. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^create_card$/, 'ticket issue task story todo bug defect report open'],
  [/dependen/, 'blocked blocker block wait depend link'],
  [/^(move_|submit_.*(validation|evaluation))/, 'approve sign off review accept reject'],
  [/validation/, 'approve sign off review verdict evidence'],
  [/^move_/, 'status transition start finish close complete cancel done advance'],
  [/^update_/, 'edit change rename assign label set'],
  [/^create_/, 'add new make open'],
  [/^delete_|^remove_|^revoke_/, 'drop erase'],
  [/^list_|^get_/, 'show read see view'],
  [/^list_/, 'all overview browse'],
  [/question/, 'clarify open ask'],
  [/knowledge/, 'note document reference context'],
  [/history|activity/, 'log audit change past who when'],
  [/snapshot/, 'version earlier state'],
  [/archive|restore/, 'hide unarchive bring back'],
  [/share|access/, 'invite member grant collaborate'],
  [/regenerate_agent_key/, 'rotate reset token'],
  [/evaluate|evaluation/, 'score rate judge complexity estimate'],
  [/derive/, 'turn into convert promote generate'],
  [/suggest/, 'plan propose split'],
  [/assign_sprint|unassign_sprint/, 'put plan into iteration add tasks'],
  [/export|download/, 'csv file save'],
  [/blockers/, 'stuck stalled waiting'],
  [/velocity/, 'throughput speed pace'],
  [/columns/, 'kanban lanes cards by status'],
  [/respond/, 'reply answer choose vote'],
  [/backfill/, 'rebuild reindex historical'],
  [/similar/, 'like related lesson learned duplicate memory'],
  [/contradiction/, 'conflict disagree'],
  [/supersedence/, 'replaced outdated decision chain'],
  [/scenario/, 'test case coverage'],
  [/seen/, 'read receipt'],
  [/dead_letter/, 'failed queue stuck'],
]

/** Hand-written synonyms of an operation, beside the words of its own definition. */
export const synonymsOf = (name: string, feature: FeatureName): string[] => [
  ...(byFeature[feature] ?? '').split(' '),
  ...byName.filter(([part]) => part.test(name)).flatMap(([, words]) => words.split(' ')),
]
