import { randomBytes } from 'node:crypto'
import { plainName } from '../../lib/content-disposition.ts'

/** The name of an uploaded file: the last component of the given path, without control characters. */
export function originalName(path: string): string {
  const last = path.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = [...last.replaceAll(/\p{Cc}/gu, '')].slice(0, 255).join('')
  return name === '' || name === '.' || name === '..' ? 'unnamed' : name
}

/** A unique name to store a file under, at most 120 characters long. */
export const storedName = (original: string): string =>
  `${randomBytes(8).toString('hex')}_${plainName(original)}`.slice(0, 120)

const typeForm = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/

/** Media types by file extension, for uploads that declare none. */
const typesByExtension: Readonly<Record<string, string>> = {
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/vnd.microsoft.icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mjs: 'text/javascript',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  py: 'text/x-python',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/** The declared media type, otherwise that of the extension; the content is not inspected (cards 11). */
export function mimeTypeOf(declared: string | null, name: string): string {
  const type = declared?.split(';')[0]?.trim() ?? ''
  if (type.length <= 100 && typeForm.test(type)) return type.toLowerCase()
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension]! : 'application/octet-stream'
}

/** The content type of a download; text has a charset. */
export const contentType = (mimeType: string): string =>
  mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType
