/** Permanent addresses of records and pages. */
export const addressOfBoard = (key: string): string => `/b/${key}/board`

export const addressOfCard = (key: string, ref: string): string => `/b/${key}/cards/${ref}`

export const addressOfSpec = (key: string, ref: string): string => `/b/${key}/specs/${ref}`

/** The key of the board that a reference belongs to. */
export const keyOfRef = (ref: string): string => ref.slice(0, ref.lastIndexOf('-'))

/** The address of a record whose kind is not known; its page looks the reference up. */
export const addressOfRef = (ref: string): string => `/b/${keyOfRef(ref)}/r/${ref}`

const refAddress = /\/b\/[^/]+\/r\/([^/?#]+)$/

/** The reference in the address of a record whose kind is not known; undefined for every other address. */
export const refOfAddress = (address: string): string | undefined => refAddress.exec(address)?.[1]

/** A card and the id of one of its attachments. */
export interface AttachmentPlace {
  readonly board_id: string
  readonly card_id: string
  readonly attachment_id: string
}

/** The address by which a text names an attachment: that of its operation (cards 11). */
export const addressOfAttachment = ({ board_id, card_id, attachment_id }: AttachmentPlace): string =>
  `/api/v1/attachments/${board_id}/${card_id}/${attachment_id}`

const attachmentAddress = /^\/api\/v1\/attachments\/([\da-f-]{36})\/([\da-f-]{36})\/([\da-f-]{36})$/

/** The attachment that an address in a text names; undefined for every other address. */
export function attachmentAt(address: string): AttachmentPlace | undefined {
  const [, board_id, card_id, attachment_id] = attachmentAddress.exec(address) ?? []
  if (board_id === undefined || card_id === undefined || attachment_id === undefined) return undefined
  return { board_id, card_id, attachment_id }
}

/** The URL folder of each kind of planned record. */
export const planFolders = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
} as const

const folders: Readonly<Record<string, string>> = { ...planFolders, card: 'cards', coverage: 'coverage' }

/** The kind of record of a URL folder. */
export const kindOfFolder = (folder: string) =>
  (Object.keys(planFolders) as (keyof typeof planFolders)[]).find(kind => planFolders[kind] === folder)

/** The address of a record of a known kind on a board, by its reference or id. */
export const addressOn = (key: string, kind: string, idOrRef: string): string =>
  `/b/${key}/${folders[kind] ?? 'r'}/${idOrRef}`

/** The address of a record of a known kind. */
export const addressOfRecord = (kind: string, ref: string): string => {
  const folder = folders[kind]
  return folder === undefined ? addressOfRef(ref) : `/b/${keyOfRef(ref)}/${folder}/${ref}`
}

export const addressOfCoverage = (ref: string): string => `/b/${keyOfRef(ref)}/coverage/${ref}`

/** The address of a test report, which has no reference. */
export const addressOfReport = (key: string, id: string): string => `/b/${key}/reports/${id}`

/** The address of a design, which has no reference. */
export const addressOfDesign = (key: string, id: string): string => `/b/${key}/architecture/${id}`

/** The lineage page of a record. */
export const addressOfLineage = (ref: string): string => `/b/${keyOfRef(ref)}/lineage/${ref}`

export const addressOfWebhooks = (key: string): string => `/b/${key}/settings/webhooks`

export const addressOfRepositories = (key: string): string => `/b/${key}/settings/repositories`
