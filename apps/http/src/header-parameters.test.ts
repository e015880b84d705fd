import { expect, test } from 'vitest'
import { parametersOf } from './header-parameters.ts'

test.each([
  ['form-data; name="file"; filename="a.txt"', { name: 'file', filename: 'a.txt' }],
  ['form-data; name=file; filename=""', { name: 'file', filename: '' }],
  ['form-data; name="a\\"b"; filename="C:\\\\dir\\x.txt"', { name: 'a"b', filename: 'C:\\dir\\x.txt' }],
  [
    `form-data; FileName="a"; filename*=UTF-8''gr%C3%B6%C3%9Fe`,
    { filename: 'größe', 'filename*': `UTF-8''gr%C3%B6%C3%9Fe` },
  ],
  [`form-data; filename="a"; filename*=UTF-8''%ZZ`, { filename: 'a', 'filename*': `UTF-8''%ZZ` }],
  ['multipart/form-data; boundary="x y"', { boundary: 'x y' }],
])('parses the parameters of %s', (value, parameters) => {
  expect(Object.fromEntries(parametersOf(value))).toEqual(parameters)
})
