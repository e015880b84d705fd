/** Files on cards (cards 11). */

import { operation } from '../operation.ts'
import { always } from '../permission-rules.ts'
import { Id } from '../shared.ts'
import { Attachment } from './card.ts'

const keywords = ['file', 'screenshot', 'image', 'document']
const params = { board_id: Id, card_id: Id, attachment_id: Id }

const upload_attachment = operation({
  name: 'upload_attachment',
  method: 'POST',
  path: '/api/v1/attachments/{board_id}/{card_id}',
  permission: 'ATTACHMENTS_CREATE',
  title: 'Upload attachment',
  description: 'Attach a file to a card.',
  params: { board_id: Id, card_id: Id },
  kind: 'upload',
  response: Attachment,
  status: 201,
  errors: ['ARCHIVED', 'PAYLOAD_TOO_LARGE', 'LIMIT_REACHED'],
  asks: always('ATTACHMENTS_CREATE', 'CARDS_READ'),
  keywords,
})

const download_attachment = operation({
  name: 'download_attachment',
  method: 'GET',
  path: '/api/v1/attachments/{board_id}/{card_id}/{attachment_id}',
  permission: 'ATTACHMENTS_READ',
  title: 'Download attachment',
  description: 'Download a file of a card.',
  params,
  kind: 'file',
  fileTypes: ['image/*', 'text/*', 'application/*', '*/*'],
  errors: ['FILE_MISSING'],
  asks: always('ATTACHMENTS_READ', 'CARDS_READ'),
  keywords,
})

const delete_attachment = operation({
  name: 'delete_attachment',
  method: 'DELETE',
  path: '/api/v1/attachments/{board_id}/{card_id}/{attachment_id}',
  permission: 'ATTACHMENTS_DELETE',
  title: 'Delete attachment',
  description: 'Delete a file of a card.',
  params,
  errors: ['ARCHIVED'],
  asks: always('ATTACHMENTS_DELETE', 'CARDS_READ'),
  keywords,
})

export const attachments = { upload_attachment, download_attachment, delete_attachment } as const
