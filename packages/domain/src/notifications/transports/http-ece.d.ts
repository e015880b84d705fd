declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    readonly version: 'aes128gcm'
    readonly privateKey: ECDH
    readonly dh?: string
    readonly authSecret: string
    readonly salt?: string
  }

  const ece: {
    encrypt(text: Buffer, parameters: Parameters): Buffer
    decrypt(sealed: Buffer, parameters: Parameters): Buffer
  }
  export default ece
}
