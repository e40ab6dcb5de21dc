/** The account: operations on it and its pixel lists, and what they promise. */
import { documented, type Check } from '../src/contract/check.js'
import { operation, type Operation } from '../src/contract/operation.js'

export const account = operation(/* GraphQL */ `
  query Account {
    account {
      id
    }
  }
`)

export const pixels = operation(/* GraphQL */ `
  query Pixels {
    account {
      id
      facebook_pixels {
        label
        value
      }
      snapchat_pixels {
        label
        value
      }
      tiktok_pixels {
        label
        value
      }
    }
  }
`)

export const updateAccount = operation(/* GraphQL */ `
  mutation UpdateAccount($node: InputUpdateAccount!) {
    updateAccount(node: $node) {
      id
      facebook_pixels {
        label
        value
      }
      snapchat_pixels {
        label
        value
      }
      tiktok_pixels {
        label
        value
      }
    }
  }
`)

export const accountOperations: readonly Operation[] = [account, pixels, updateAccount]

/** Not in the list: that the account is a Node is assumed, and SDL has no place to say so. */
export const accountNode = operation(/* GraphQL */ `
  query AccountNode($id: ID!) {
    node(id: $id) {
      id
      ... on Account {
        facebook_pixels {
          label
          value
        }
        snapchat_pixels {
          label
          value
        }
        tiktok_pixels {
          label
          value
        }
      }
    }
  }
`)

/** The pixel lists of the account. */
export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

/** An input of updateAccount, of documented fields alone. */
export const examplePixels = {
  facebook_pixels: [{ label: 'Autumn campaign', value: '204918830417755' }],
  snapchat_pixels: [{ label: 'Autumn campaign', value: '5c2f4d0a-7d67-4a34-9c53-0a5b7d1f6c11' }],
  tiktok_pixels: [
    { label: 'Autumn campaign', value: 'C9K2LMQ7V01RTE4H8XAB' },
    { label: 'Outlet', value: 'C0B7TTQ1Z93WPE6N5YHD' },
  ],
}

export const accountChecks: readonly Check[] = [
  {
    id: 'account-shape',
    title: 'account answers the account with its id.',
    basis: documented('Account: id, ID, account identifier.'),
    async run(context) {
      await context.ask(account)
    },
  },
  {
    id: 'pixels-shape',
    title: 'account shows three lists of pixels, each with a label and a value.',
    basis: documented('Account settings: account, query: three lists of Pixel (`label`, `value`).'),
    async run(context) {
      await context.ask(pixels)
    },
  },
]
