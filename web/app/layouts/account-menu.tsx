import { CreditCard, LogOut, Settings, UserRound } from "lucide-react";
import { Link } from "react-router";
import { useSignOut } from "~/features/account/api/sign-out";
import type { Account } from "~/features/account/model";
import { paths } from "~/paths";
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuLink } from "~/ui/menu";
import { ThemeChoices } from "~/ui/theme-menu";
import { AvatarButton } from "./avatar-button";

export default function AccountMenu({ account }: { account: Account }) {
  const signOut = useSignOut(paths.home);
  return (
    <Menu defaultOpen trigger={<AvatarButton name={account.name} picture={account.profilePicture} />}>
      <MenuLabel>My Account</MenuLabel>
      <p className="truncate px-2.5 pb-2 text-sm">
        <span dir="auto" className="font-medium">
          {account.name}
        </span>
        <span className="block truncate text-muted">{account.email}</span>
      </p>
      <MenuSeparator />
      <MenuLink>
        <Link to={paths.profile}>
          <UserRound aria-hidden /> Profile
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to={paths.billing}>
          <CreditCard aria-hidden /> Billing
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to={paths.settings}>
          <Settings aria-hidden /> Settings
        </Link>
      </MenuLink>
      <MenuSeparator />
      <ThemeChoices />
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => signOut.mutate()}>
        Log out
      </MenuItem>
    </Menu>
  );
}
