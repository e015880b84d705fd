/** The name of a download in a `Content-Disposition` header, in both of its forms (cards 8, 11). */

const outside = /[^A-Za-z0-9._-]/gu

/** A name with every character except ASCII letters, digits, `-`, `_` and `.` replaced by `_`. */
export const plainName = (name: string): string => name.replaceAll(outside, '_')

// RFC 5987 allows fewer unescaped characters than encodeURIComponent leaves.
const encoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * The header of a download.
 * @param ascii the name for every client, without quotes, backslashes and control characters
 * @param full the real name, where it is not ASCII
 */
export const contentDisposition = (ascii: string, full?: string): string =>
  `attachment; filename="${ascii}"${full === undefined ? '' : `; filename*=UTF-8''${encoded(full)}`}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them
const unsafe = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|]/g

/** The header of a text whose file name is its title, in any script (cards 8). */
export function titleDisposition(title: string, extension: string, fallback: string): string {
  const name = plainName(title).replace(/^\.+/, '').slice(0, 100) || fallback
  const full = title.replaceAll(unsafe, '') || fallback
  return name === title
    ? contentDisposition(`${name}.${extension}`)
    : contentDisposition(`${name}.${extension}`, `${full}.${extension}`)
}

const quoted = /[^\u0020-\u007e]|["\\]/gu

/** The header of a file with its own name (cards 11). */
export function fileDisposition(name: string): string {
  const ascii = name.replaceAll(quoted, '_')
  return ascii === name ? contentDisposition(name) : contentDisposition(ascii, name)
}
