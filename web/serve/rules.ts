import { chooseTheme } from "../common/theme";

chooseTheme();
