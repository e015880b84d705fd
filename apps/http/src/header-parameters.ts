const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/gs

/** The parameters of a header value, by lower-case name; `name*` (RFC 5987) is listed as `name`. */
export function parametersOf(value: string): Map<string, string> {
  const found = [...value.matchAll(parameter)].map(
    ([, name = '', quoted, token = '']) =>
      [name.toLowerCase(), quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1')] as const,
  )
  const parameters = new Map(found)
  for (const [name, text] of found) {
    if (!name.endsWith('*')) continue
    const decoded = decodedExtended(text)
    if (decoded !== undefined) parameters.set(name.slice(0, -1), decoded)
  }
  return parameters
}

function decodedExtended(text: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(text)?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
