import { features } from '@specboard/contract'
import { implement } from '../implement.ts'

export const attachmentOperations = implement(features.attachments, {})
